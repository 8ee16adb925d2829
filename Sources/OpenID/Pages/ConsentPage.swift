import Clients
import Pages

/// The question of what another maker's app may have: who asks, for what, for how long.
struct ConsentPage: Page {
    let clientName: String
    /// The host to which the answer goes; the name is the app's own claim.
    let host: String
    /// The host of the document with which the app describes itself; nil for another app.
    let site: String?
    /// Whether any program on the user's computer could pose as the app.
    let isLocal: Bool
    let accountName: String
    /// The raw values of ``TokenScope``.
    let scopes: [String]
    let resources: [Resource]
    let hidden: [HiddenField]
    let otherAddress: String

    /// A resource with the scopes that the user can refuse.
    struct Resource: Hashable {
        let name: String
        let host: String
        let scopes: [Scope]
    }

    struct Scope: Hashable {
        /// As the database names it.
        let name: String
        let words: String
    }

    static let template = "consent"

    func masked(by mask: inout TextMask) -> ConsentPage {
        ConsentPage(
            clientName: mask.shown(clientName), host: mask.shown(host), site: site.map { mask.shown($0) },
            isLocal: isLocal, accountName: mask.shown(accountName),
            scopes: scopes, resources: resources.map { $0.masked(by: &mask) }, hidden: mask.fields(hidden),
            otherAddress: mask.address(otherAddress))
    }

    func values(in words: Words) -> [String: Any] {
        var values = words.card(heading: "consent.heading", client: clientName, problem: nil)
        values["lead"] = words.sentence("consent.lead", ["client": clientName, "host": host])
        if let site { values["site"] = words.sentence("consent.site", ["host": site]) }
        values["is_local"] = isLocal
        values["account"] = words.sentence("consent.account", ["name": accountName])
        values.merge(Self.choices(scopes, resources, in: words)) { _, new in new }
        values["hidden"] = hidden.map(\.values)
        values["other_address"] = otherAddress
        return values
    }

    /// The values of `consent_choices`: what the user can refuse.
    static func choices(_ scopes: [String], _ resources: [Resource], in words: Words) -> [String: Any] {
        [
            "scopes": scopes.compactMap(TokenScope.init(rawValue:)).compactMap { scope -> [String: Any]? in
                key(of: scope).map { ["scope": scope.rawValue, "label": words.text($0)] }
            },
            "resources": resources.enumerated().map { place, resource -> [String: Any] in
                [
                    "title": words.sentence("consent.resource", ["resource": resource.name, "host": resource.host]),
                    "resource_scopes": resource.scopes.enumerated().map { index, scope in
                        ["scope": scope.name, "scope_id": "\(place)-\(index)", "label": scope.words]
                    },
                ]
            },
        ]
    }

    /// The words for a scope; nil for one that the user cannot refuse.
    static func key(of scope: TokenScope) -> String? {
        switch scope {
        case .openid, .cognitoAPI: nil
        case .profile: "consent.profile"
        case .email: "consent.email"
        case .phone: "consent.phone"
        case .address: "consent.address"
        case .offlineAccess: "consent.offline_access"
        }
    }

    /// The messages of ``key(of:)``.
    static let promised = TokenScope.allCases.compactMap(key)
}

extension ConsentPage.Resource {
    /// The resources of a request that are registered, by identifier.
    static func all(_ asked: ResourceScopes, among catalogue: ResourceCatalogue) -> [ConsentPage.Resource] {
        asked.byIdentifier.sorted { $0.key < $1.key }.compactMap { identifier, scopes in
            guard let resource = catalogue[identifier] else { return nil }
            return ConsentPage.Resource(
                name: resource.name, host: resource.host,
                scopes: scopes.sorted().map { .init(name: "\(identifier) \($0)", words: resource.scopes[$0] ?? $0) })
        }
    }

    func masked(by mask: inout TextMask) -> ConsentPage.Resource {
        ConsentPage.Resource(
            name: mask.shown(name), host: mask.shown(host),
            scopes: scopes.map { ConsentPage.Scope(name: mask.shown($0.name), words: mask.shown($0.words)) })
    }
}

extension Messages {
    /// The messages of these pages whose keys code composes.
    package static let promisedByOpenID = Set(ConsentPage.promised)
}
