import Cryptography
import Foundation
import JSON
import Providers

/// A client id metadata document: the app describes itself at the address that is its id
/// (draft-ietf-oauth-client-id-metadata-document-01 §4).
package struct ClientDocument: Sendable, Equatable {
    package let address: String
    package let name: String
    /// Those of ``RedirectURI``'s forms; others have no effect.
    package let redirectURIs: [String]
    /// How it knows its users and its keys; everything else has its default.
    ///
    /// Its sector is the host of ``address``.
    package let openID: OpenIDSettings
    package let digest: [UInt8]

    /// The reason why a document can't be used, for its maker.
    package enum Fault: String, Error {
        case notJSON = "it is no JSON object"
        case otherClient = "its client_id is another address"
        case hasSecret = "it contains a client secret"
        case methodUnknown = "token_endpoint_auth_method must be none or private_key_jwt"
        case keysUnusable = "private_key_jwt needs either jwks, with public keys alone, or jwks_uri"
        case noAddress = "no redirect address is on this computer, on the document's host or on a subdomain of it"
    }

    /// In bytes (§6.6).
    package static let longest = 5_120
    private static let mostAddresses = 20

    /// - Parameters:
    ///   - address: from which it was fetched.
    ///   - isTrusted: whether the operator lists the app, so that its redirect addresses may be on any site.
    package init(parsing body: [UInt8], at address: String, isTrusted: Bool) throws(Fault) {
        guard let object = (try? JSON(parsing: body))?.object else { throw .notJSON }
        guard object["client_id"]?.string == address else { throw .otherClient }
        guard object["client_secret"] == nil, object["client_secret_expires_at"] == nil else { throw .hasSecret }
        openID = try Self.settings(object)
        let host = URL(string: address)?.host() ?? address
        let uris = (object["redirect_uris"]?.array ?? []).prefix(Self.mostAddresses).compactMap(\.string)
        redirectURIs = uris.filter { text in
            RedirectURI(text).map { isTrusted || Self.isNear($0, host) } ?? false
        }
        guard !redirectURIs.isEmpty else { throw .noAddress }
        name =
            object["client_name"]?.string.flatMap { DisplayName.clean($0, limit: ClientMetadata.longestName) } ?? host
        self.address = address
        // What users agreed to: another name, address, kind of subject or key is another app.
        let settings = openID.json
        let pairwise = openID.subjectType == .pairwise ? [openID.subjectType.rawValue] : []
        let keys = OpenIDSettings.keyMembers.compactMap { name in settings[name].map { "\(name) \($0.text)" } }
        digest = SHA256.hash(Array(([name] + redirectURIs + pairwise + keys).joined(separator: "\n").utf8))
    }

    /// A shared secret would be public (§4.1), so only keys prove an app.
    private static func settings(_ object: JSONObject) throws(Fault) -> OpenIDSettings {
        let name = object["token_endpoint_auth_method"]?.string ?? "none"
        guard let method = ClientMetadata.Method(rawValue: name), !method.hasSecret else { throw .methodUnknown }
        let pairwise = OpenIDSettings.SubjectType.pairwise.rawValue
        var members: JSONObject = [:]
        if object["subject_type"]?.string == pairwise { members["subject_type"] = .string(pairwise) }
        if method == .keys { for name in OpenIDSettings.keyMembers { members[name] = object[name] } }
        guard let settings = try? OpenIDSettings(parsing: members), settings.hasKeys == (method == .keys) else {
            throw .keysUnusable
        }
        return settings
    }

    /// Whether a redirect address is on the user's own computer, on the document's host, or on a subdomain of it.
    ///
    /// A parent domain may belong to others, as `github.io` does.
    private static func isNear(_ uri: RedirectURI, _ host: String) -> Bool {
        guard uri.kind == .https else { return uri.kind == .loopback || uri.kind == .localhost }
        let other = URL(string: uri.text)?.host() ?? ""
        return other == host || other.hasSuffix("." + host)
    }

    /// Whether a client id is the address of such a document (§3).
    ///
    /// - Parameter allowsLocal: whether `http:` is allowed too, for a document on this computer under development.
    package static func isAddress(_ id: String, allowsLocal: Bool = false) -> Bool {
        guard id.utf8.count <= 500, id.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            let url = URLComponents(string: id), url.scheme == "https" || allowsLocal && url.scheme == "http",
            url.host?.isEmpty == false, url.user == nil, url.password == nil, url.fragment == nil,
            url.percentEncodedPath.count > 1
        else { return false }
        return !url.percentEncodedPath.split(separator: "/").contains { [".", "..", "%2e", "%2E"].contains($0) }
    }

    /// The id of the client that a typed id names: a document's address names the client of its app.
    package static func resolved(_ typed: String) -> String {
        isAddress(typed, allowsLocal: true) ? clientID(of: typed) : typed
    }

    /// The id of the client row of a document's app.
    package static func clientID(of address: String) -> String {
        "agent-" + Base64URL.encode(Array(SHA256.hash(Array(address.utf8)).prefix(15)))
    }

    /// The seconds for which an answer may be used (§4.4): what its headers say, within 5 minutes and a day.
    package static func life(_ cacheControl: String?) -> Int {
        let directives = (cacheControl ?? "").lowercased().split(separator: ",")
            .map { $0.trimmingCharacters(in: .whitespaces) }
        if directives.contains("no-store") || directives.contains("no-cache") { return 300 }
        let age = directives.first { $0.hasPrefix("max-age=") }.flatMap { Int($0.dropFirst("max-age=".count)) }
        return age.map { min(max($0, 300), 86_400) } ?? 600
    }
}
