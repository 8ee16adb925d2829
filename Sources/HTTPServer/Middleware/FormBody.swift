package import Hummingbird
import NIOCore

/// A form body as OAuth 2.0 defines it (RFC 6749 section 3.2): each parameter at most once.
package struct FormBody: Sendable, Equatable {
    /// A limit above every real form, because each name is compared with all earlier ones.
    static let mostFields = 200

    /// All fields in order, with empty ones: a signature may cover them.
    package private(set) var fields: [(name: String, value: String)] = []

    /// In order of arrival.
    package var names: [String] { fields.filter { !$0.value.isEmpty }.map(\.name) }

    package static func == (left: FormBody, right: FormBody) -> Bool {
        left.fields.elementsEqual(right.fields) { $0 == $1 }
    }

    /// A parameter; nil if it is missing or empty.
    package subscript(_ name: String) -> String? {
        fields.first { !$0.value.isEmpty && $0.name.utf8.elementsEqual(name.utf8) }.map(\.value)
    }

    /// - Throws: ``Problem`` 415 for another content type, 413 beyond a limit of its own, 400 as ``init(_:)``.
    package static func read(
        _ request: Request, maximumBytes: Int = BodyLimit.standardBytes, allowsRepeated: Bool = false
    ) async throws -> FormBody {
        try BodyMediaType.form.require(in: request.headers)
        let buffer = try await BodyLimit.body(of: request)
        guard buffer.readableBytes <= maximumBytes else { throw Problem.bodyTooLarge }
        return try FormBody(Array(buffer.readableBytesView), allowsRepeated: allowsRepeated)
    }

    /// - Throws: ``Problem`` 400 for a repeated parameter, a broken escape, a NUL, which PostgreSQL cannot store, or more
    ///   than ``mostFields``.
    ///
    /// - Parameter allowsRepeated: whether a parameter may occur more than once, for a caller that judges it itself.
    package init(_ bytes: [UInt8], allowsRepeated: Bool = false) throws(Problem) {
        let pairs = bytes.split(separator: UInt8(ascii: "&"), maxSplits: Self.mostFields)
        guard pairs.count <= Self.mostFields else { throw .malformedRequest("The form has too many parameters.") }
        for pair in pairs {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(parts[0]), let value = Self.decoded(parts.count > 1 ? parts[1] : []) else {
                throw .malformedRequest("The form holds a broken escape or a NUL, or is not UTF-8.")
            }
            guard allowsRepeated || self[name] == nil else {
                throw .malformedRequest("The form gives a parameter more than once.")
            }
            fields.append((name, value))
        }
    }

    /// A name or value without its encoding; nil for a broken escape, a NUL, and what is no UTF-8.
    static func decoded(_ bytes: ArraySlice<UInt8>) -> String? {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var rest = bytes.makeIterator()
        while let byte = rest.next() {
            switch byte {
            case UInt8(ascii: "+"): result.append(0x20)
            case UInt8(ascii: "%"):
                guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else {
                    return nil
                }
                result.append(high << 4 | low)
            default: result.append(byte)
            }
        }
        return result.contains(0) ? nil : String(validating: result, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}

extension FormBody {
    /// A required parameter.
    package func required(_ name: String) throws(Problem) -> String {
        guard let value = self[name] else { throw .invalidMember("/\(name)", "required") }
        return value
    }
}
