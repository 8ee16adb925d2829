package import JSON
import Providers

/// The metadata with which an app registers itself (RFC 7591 §2); unknown members have no effect.
package struct ClientMetadata: Sendable, Equatable {
    package enum Method: String, Sendable, CaseIterable {
        case none
        case basic = "client_secret_basic"
        case post = "client_secret_post"
        case keys = "private_key_jwt"

        package var hasSecret: Bool { self == .basic || self == .post }

        /// The method of a client, whose secret may come by both ways.
        package init(of client: Client) {
            self = client.openID.hasKeys ? .keys : client.kind == .public ? .none : .basic
        }
    }

    /// A member that can't be registered (§3.2.2).
    package struct Fault: Error, Equatable {
        /// `invalid_redirect_uri` or `invalid_client_metadata`.
        package let code: String
        package let description: String
    }

    package let name: String
    package let redirectURIs: [String]
    package let method: Method
    /// How it knows its users, and its keys for that method; everything else has its default.
    package let openID: OpenIDSettings

    private static let mostAddresses = 20
    /// In Unicode scalars.
    static let longestName = 100

    /// - Throws: the first fault.
    package init(_ json: JSONObject) throws(Fault) {
        let uris = json["redirect_uris"]?.array ?? []
        guard (1...Self.mostAddresses).contains(uris.count) else {
            throw Fault(
                code: "invalid_redirect_uri", description: "redirect_uris: 1 to \(Self.mostAddresses) addresses")
        }
        let read = uris.map { $0.string.flatMap(RedirectURI.init) }
        guard read.allSatisfy({ $0 != nil }) else {
            throw Fault(code: "invalid_redirect_uri", description: "redirect_uris: https, or http on localhost")
        }
        let addresses = read.compactMap(\.self)
        redirectURIs = addresses.map(\.text)
        method = try Self.method(json, isProgram: addresses.allSatisfy(\.isOnComputer))
        name = json["client_name"]?.string.flatMap { DisplayName.clean($0, limit: Self.longestName) } ?? ""
        try Self.check(json, "grant_types", offers: "authorization_code")
        try Self.check(json, "response_types", offers: "code")
        openID = try Self.settings(json, method)
    }

    private static func settings(_ json: JSONObject, _ method: Method) throws(Fault) -> OpenIDSettings {
        let names = OpenIDSettings.subjectMembers + (method == .keys ? OpenIDSettings.keyMembers : [])
        var members: JSONObject = [:]
        for name in names where json[name]?.isNull == false { members[name] = json[name] }
        do throws(MemberFault) {
            let settings = try OpenIDSettings(parsing: members)
            guard method != .keys || settings.hasKeys else {
                throw MemberFault(path: ["jwks_uri"], reason: "required_without_jwks")
            }
            return settings
        } catch {
            let reason = error.reason.split(separator: "_").joined(separator: " ")
            throw Fault(code: "invalid_client_metadata", description: "\(error.path.joined()): \(reason)")
        }
    }

    /// Checks the sector.
    ///
    /// - Parameter document: as it was read now; nil without one.
    package func checkSector(in document: SectorDocument?) throws(SectorFault) {
        try Sector.check(openID, redirectURIs: redirectURIs, in: document)
    }

    /// A program on the user's computer can keep no secret, so it gets none that it does not ask for.
    private static func method(_ json: JSONObject, isProgram: Bool) throws(Fault) -> Method {
        guard let asked = json["token_endpoint_auth_method"], !asked.isNull else { return isProgram ? .none : .basic }
        guard let method = asked.string.flatMap(Method.init) else {
            let offered = Method.allCases.map(\.rawValue).joined(separator: ", ")
            throw Fault(
                code: "invalid_client_metadata", description: "token_endpoint_auth_method: must be one of \(offered)")
        }
        return method
    }

    /// A list without the one offered value would register an app that can do nothing.
    private static func check(_ json: JSONObject, _ member: String, offers value: String) throws(Fault) {
        guard let list = json[member]?.array, !list.isEmpty, !list.contains(.string(value)) else { return }
        throw Fault(code: "invalid_client_metadata", description: "\(member): must contain \(value)")
    }

    /// The members that are registered, for the answer (§3.2.1).
    package var json: JSONObject {
        var json: JSONObject = [
            "redirect_uris": .array(redirectURIs.map(JSON.string)),
            "token_endpoint_auth_method": .string(method.rawValue),
            "grant_types": ["authorization_code", "refresh_token"], "response_types": ["code"],
        ]
        if !name.isEmpty { json["client_name"] = .string(name) }
        for member in openID.json.object?.members ?? [] { json[member.name] = member.value }
        return json
    }
}
