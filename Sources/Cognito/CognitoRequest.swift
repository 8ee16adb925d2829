import HTTPServer
import Hummingbird
import JSON
import NIOCore

/// The body of a call, with its members by their names in the API.
///
/// Unknown members have no effect, because clients send members of later versions.
struct CognitoRequest: Sendable {
    let body: JSONObject

    /// A required text.
    func text(_ name: String, most: Int = 8_192) throws(CognitoError) -> String {
        guard let text = try optional(name, most: most) else { throw .missing(name) }
        return text
    }

    /// An optional text; an empty one counts as absent, as some clients send it.
    func optional(_ name: String, most: Int = 8_192) throws(CognitoError) -> String? {
        try Self.text(body[name], name, most)
    }

    /// A required object.
    func object(_ name: String) throws(CognitoError) -> JSONObject {
        guard let value = body[name], !value.isNull else { throw .missing(name) }
        guard let object = value.object else { throw .invalid("\(name) must be an object.") }
        return object
    }

    /// A map of texts; empty if it is absent.
    func texts(_ name: String) throws(CognitoError) -> CognitoTexts {
        guard let value = body[name], !value.isNull else { return CognitoTexts(of: [:]) }
        guard let object = value.object else { throw .invalid("\(name) must be a map of texts.") }
        var texts: [String: String] = [:]
        for member in object.members {
            texts[member.name] = try Self.text(member.value, "\(name).\(member.name)", 8_192)
        }
        return CognitoTexts(of: texts)
    }

    /// A list of `{Name, Value}`, in order; empty if it is absent.
    func attributes(_ name: String) throws(CognitoError) -> [(name: String, value: String)] {
        guard let value = body[name], !value.isNull else { return [] }
        guard let list = value.array, list.count <= Self.mostAttributes else {
            throw .invalid("\(name) must be a list of attributes.")
        }
        var attributes: [(name: String, value: String)] = []
        for item in list {
            guard let attribute = item["Name"]?.string, !attribute.isEmpty else { throw .missing("\(name).Name") }
            let text = item["Value"] ?? .null
            guard text.isNull || (text.string?.utf8.count ?? .max) <= 2_048 else {
                throw .invalid("\(name) must hold texts of at most 2048 bytes.")
            }
            attributes.append((attribute, text.string ?? ""))
        }
        return attributes
    }

    /// A list of texts; empty if it is absent.
    func names(_ name: String) throws(CognitoError) -> [String] {
        guard let value = body[name], !value.isNull else { return [] }
        guard let list = value.array, list.count <= Self.mostAttributes, list.allSatisfy({ $0.string != nil }) else {
            throw .invalid("\(name) must be a list of texts.")
        }
        return list.compactMap(\.string)
    }

    /// A required value of an enum.
    func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, of type: Choice.Type
    ) throws(CognitoError) -> Choice where Choice.RawValue == String {
        let text = try text(name)
        guard let choice = Choice(rawValue: text) else {
            let all = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            let path = name.prefix(1).lowercased() + name.dropFirst()
            throw .constraint(text, at: path, "satisfy enum value set: [\(all)]")
        }
        return choice
    }

    /// An optional value of an enum.
    func optionalChoice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, of type: Choice.Type
    ) throws(CognitoError) -> Choice? where Choice.RawValue == String {
        try optional(name) == nil ? nil : try choice(name, of: type)
    }

    private static let mostAttributes = 100

    private static func text(_ value: JSON?, _ name: String, _ most: Int) throws(CognitoError) -> String? {
        guard let value, !value.isNull else { return nil }
        guard let text = value.string else { throw .invalid("\(name) must be a text.") }
        guard text.utf8.count <= most else { throw .invalid("\(name) is too long.") }
        return text.isEmpty ? nil : text
    }
}

extension CognitoRequest {
    private static let contentType = "application/x-amz-json-1."

    /// Reads the body of a request.
    ///
    /// - Throws: ``CognitoError`` for another content type, or for a body that is no JSON object.
    init(_ request: Request) async throws {
        try self.init(request, try await BodyLimit.body(of: request))
    }

    /// Reads a body that the caller has collected.
    init(_ request: Request, _ bytes: ByteBuffer) throws(CognitoError) {
        guard request.headers.value(.contentType)?.hasPrefix(Self.contentType) == true else {
            throw CognitoError(
                .serialization, "The content type must be application/x-amz-json-1.1.", code: "unsupported_media_type")
        }
        guard let object = try? JSON(parsing: bytes.readableBytesUInt8Span).object else {
            throw CognitoError(.serialization, "The body is no JSON object.", code: "malformed_request")
        }
        self.init(body: object)
    }
}

/// `AuthParameters` or `ChallengeResponses`.
struct CognitoTexts: Sendable {
    private let texts: [String: String]

    init(of texts: [String: String]) { self.texts = texts }

    subscript(_ name: String) -> String? { texts[name] }

    /// A required text.
    func required(_ name: String) throws(CognitoError) -> String {
        guard let text = texts[name] else { throw .missing(name) }
        return text
    }

    /// The texts with names of a prefix, without it.
    func beginning(_ prefix: String) -> [String: String] {
        Dictionary(
            texts.filter { $0.key.hasPrefix(prefix) }.map { (String($0.key.dropFirst(prefix.count)), $0.value) }
        ) { first, _ in first }
    }
}
