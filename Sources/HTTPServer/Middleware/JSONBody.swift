package import Hummingbird
package import JSON
package import NIOCore

/// Reads a request's body as strict JSON.
package enum JSONBody {
    /// The object in the body.
    ///
    /// - Parameter known: its possible members. Another one is refused, because a misspelt member must not be dropped.
    /// - Throws: ``Problem`` 415 for another content type, 400 `malformed_request` with pointer and offset for anything
    ///   but a JSON object, 400 `invalid_request` for an unknown member, 413 beyond the limit.
    package static func object(_ request: Request, of known: String...) async throws -> JSONObject {
        try await changes(request).limited(to: known)
    }

    /// The object in the body for a service that refuses unknown members itself.
    package static func changes(_ request: Request) async throws -> JSONObject { try object(try await bytes(request)) }

    /// The bytes of the body, for a check of their signature.
    package static func bytes(_ request: Request) async throws -> ByteBuffer {
        try BodyMediaType.json.require(in: request.headers)
        return try await BodyLimit.body(of: request)
    }

    package static func object(_ bytes: ByteBuffer) throws(Problem) -> JSONObject {
        guard let object = try value(bytes).object else {
            throw .malformedRequest("The body must be a JSON object.")
        }
        return object
    }

    private static func value(_ bytes: ByteBuffer) throws(Problem) -> JSON {
        do {
            return try JSON(parsing: bytes.readableBytesUInt8Span)
        } catch {
            throw problem(for: error)
        }
    }

    static func problem(for error: JSONError) -> Problem {
        if error.problem == .tooLarge { return .bodyTooLarge }
        let (code, words) = words(for: error.problem)
        let pointer = error.pointer.bounded(bytes: 512)
        return .malformedRequest(
            "The body is no acceptable JSON text: \(words), at byte \(error.offset).",
            errors: [.init(pointer: pointer, code: code, detail: "\(words), at byte \(error.offset)")])
    }

    private static func words(for problem: JSONError.Problem) -> (code: String, words: String) {
        switch problem {
        case .tooLarge: ("too_large", "too many bytes")
        case .tooDeep: ("too_deep", "nested too deeply")
        case .tooManyMembers: ("too_many_members", "too many members")
        case .numberTooLong: ("number_too_long", "a number is too long")
        case .numberMalformed: ("number_malformed", "a number is malformed")
        case .numberOutOfRange: ("number_out_of_range", "a number is out of range")
        case .byteOrderMark: ("byte_order_mark", "it starts with a byte-order mark")
        case .invalidUTF8: ("invalid_utf8", "it is not UTF-8")
        case .escapeMalformed: ("escape_malformed", "an escape is malformed")
        case .loneSurrogate: ("lone_surrogate", "half a surrogate pair is escaped")
        case .controlCharacter: ("control_character", "a control character is not escaped")
        case .forbiddenNUL: ("forbidden_nul", "a text holds NUL")
        case .duplicateName: ("duplicate_name", "a member's name comes twice")
        case .unexpectedByte: ("unexpected_byte", "an unexpected byte")
        case .unexpectedEnd: ("unexpected_end", "it ends too early")
        case .trailingBytes: ("trailing_bytes", "something follows the value")
        }
    }
}
