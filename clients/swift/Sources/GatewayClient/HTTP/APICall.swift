import Foundation

/// One call of the API.
struct APICall: Sendable {
    enum Body: Sendable {
        case none
        case json(any Encodable & Sendable)
        case form([String: String])
    }

    let method: String
    let path: String
    var query: [URLQueryItem] = []
    var body: Body = .none

    static func get(_ path: String, query: [URLQueryItem] = []) -> APICall {
        APICall(method: "GET", path: path, query: query)
    }

    static func post(_ path: String, _ body: any Encodable & Sendable = NoMembers()) -> APICall {
        APICall(method: "POST", path: path, body: .json(body))
    }

    static func patch(_ path: String, _ body: any Encodable & Sendable) -> APICall {
        APICall(method: "PATCH", path: path, body: .json(body))
    }

    static func delete(_ path: String) -> APICall { APICall(method: "DELETE", path: path) }

    static func form(_ path: String, _ fields: [String: String]) -> APICall {
        APICall(method: "POST", path: path, body: .form(fields))
    }
}

/// An empty object, as a body and for an answer without one.
struct NoMembers: Codable, Sendable {}

/// One part of a path, percent-encoded.
func pathSegment(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
}

/// Form encoding: a space is `%20`, which every reader understands.
func formEncoded(_ fields: [String: String]) -> String {
    fields.sorted { $0.key < $1.key }.map { "\(pathSegment($0.key))=\(pathSegment($0.value))" }.joined(separator: "&")
}

/// The unreserved characters of RFC 3986.
private let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
