import Foundation
import JSON
package import Vocabulary

/// An API that an app's back end serves, and for which other apps get access tokens (RFC 8707 §2, RFC 9728 §1.2).
package struct ProtectedResource: Sendable, Equatable {
    /// The `aud` of its tokens, exactly as its own metadata spell it.
    package let identifier: String
    /// For users.
    package let name: String
    /// The words that users read, by the names of its scopes.
    package let scopes: [String: String]
    /// The ids of the clients that may ask for tokens; ``everyClient`` admits all of them.
    package let clients: [String]
    package let algorithm: TokenProfile.Algorithm
    /// In seconds; nil for the lifetime of the asking client's tokens.
    package let tokenLife: Int?
    /// The sector of the app that serves it; nil where that app knows account ids.
    package var sector: String?

    package static let everyClient = "*"
    static let members = ["identifier", "name", "scopes", "clients", "access_token_algorithm", "access_token_seconds"]
    private static let mostBytes = 512
    private static let lives = 60...3_600

    /// Reads the members of ``json``.
    init(_ reader: inout MemberReader) {
        identifier = reader.required("identifier", Self.isIdentifier)
        name = reader.required("name") { (1...100).contains($0.count) }
        scopes = reader.words("scopes", Self.isScope)
        clients = reader.texts("clients") { $0 == Self.everyClient || ClientID.isValid($0) }
        algorithm = reader.choice("access_token_algorithm", else: .es256)
        tokenLife = reader.number("access_token_seconds", in: Self.lives)
    }

    /// The host, for users; an identifier without one stands for itself.
    package var host: String { URL(string: identifier)?.host() ?? identifier }

    package func allows(client: String) -> Bool { clients.contains(client) || clients.contains(Self.everyClient) }

    /// The members that differ from their defaults.
    var json: JSON {
        var json: JSONObject = ["identifier": .string(identifier), "name": .string(name)]
        json["scopes"] = .object(
            JSONObject(
                scopes.sorted { $0.key < $1.key }.map { JSONObject.Member(name: $0.key, value: .string($0.value)) }))
        json["clients"] = .array(clients.map(JSON.string))
        if algorithm != .es256 { json["access_token_algorithm"] = .string(algorithm.rawValue) }
        json["access_token_seconds"] = tokenLife.map(JSON.integer)
        return .object(json)
    }

    /// An absolute URI without a fragment (RFC 8707 §2).
    package static func isIdentifier(_ text: String) -> Bool {
        guard (1...mostBytes).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !text.contains("#"), let colon = text.firstIndex(of: ":"), colon != text.startIndex
        else { return false }
        let scheme = text[..<colon]
        return scheme.first?.isLetter == true
            && scheme.utf8.allSatisfy { Character(UnicodeScalar($0)).isSchemeCharacter }
            && text.index(after: colon) != text.endIndex
    }

    /// A scope token that is none of the gateway's own.
    private static func isScope(_ text: String) -> Bool { isScopeToken(text) && TokenScope(rawValue: text) == nil }

    /// RFC 6749 §3.3.
    static func isScopeToken(_ text: String) -> Bool {
        (1...100).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
    }
}

extension Character {
    /// RFC 3986 §3.1.
    fileprivate var isSchemeCharacter: Bool { isASCII && (isLetter || isNumber || "+-.".contains(self)) }
}

/// The resources of all clients, by identifier, and the gateway's own.
package struct ResourceCatalogue: Sendable {
    private let byKey: [String: ProtectedResource]
    private let own: [String: OwnResource]

    package static let empty = ResourceCatalogue([])

    /// - Parameter gateway: the public address; nil without resources of the gateway.
    package init(_ resources: [ProtectedResource], at gateway: String? = nil) {
        byKey = Dictionary(resources.map { (Self.key($0.identifier), $0) }) { first, _ in first }
        own = Dictionary(
            gateway.map { gateway in OwnResource.all.map { (Self.key($0.identifier(issuer: gateway)), $0) } } ?? []
        ) { first, _ in first }
    }

    package subscript(_ identifier: String) -> ProtectedResource? { byKey[Self.key(identifier)] }

    /// Whether the client may ask for all of these.
    package func allow(_ asked: ResourceScopes, to client: Client) -> Bool {
        asked.byIdentifier.keys.allSatisfy { self[$0]?.allows(client: client.id) == true }
    }

    /// Whether a request for this identifier means the gateway's own API: the client's tokens without a resource.
    package func isOwn(_ identifier: String, of client: Client) -> Bool {
        own[Self.key(identifier)]?.opens(to: client) == true
    }

    /// Whether the identifier is that of the administration API.
    package func isAdministration(_ identifier: String) -> Bool {
        own[Self.key(identifier)]?.audience == .administration
    }

    /// The identifier that a client names, as its operator spells it; ``OwnResource/stored`` for the gateway's own API.
    ///
    /// - Throws: `targetInvalid` for an unknown one.
    package func identifier(_ asked: String?, by client: Client) throws(Rejection) -> String? {
        guard let asked else { return nil }
        guard !isOwn(asked, of: client) else { return OwnResource.stored }
        guard let known = self[asked] else { throw .targetInvalid(SentText(asked)) }
        return known.identifier
    }

    /// The identifiers that every client may ask for, for the metadata.
    package var publicIdentifiers: [String] {
        byKey.values.filter { $0.clients.contains(ProtectedResource.everyClient) }.map(\.identifier).sorted()
    }

    /// The scopes that every client may ask for, for the metadata.
    package var publicScopes: [String] {
        Set(byKey.values.filter { $0.clients.contains(ProtectedResource.everyClient) }.flatMap(\.scopes.keys)).sorted()
    }

    /// The same for spellings that differ in the case of scheme and host, or in a slash as the whole path.
    private static func key(_ identifier: String) -> String {
        guard let end = ProtectedResource.authorityEnd(of: identifier) else { return identifier }
        let rest = identifier[end...]
        return identifier[..<end].lowercased() + (rest == "/" ? "" : rest)
    }
}
