import Clients
import Pages

/// The question of what another maker's app may have: who asks, for what, for how long.
struct ConsentPage: Page {
    let clientName: String
    /// The host to which the answer goes; the name is the app's own claim.
    let host: String
    let accountName: String
    /// The raw values of ``TokenScope``.
    let scopes: [String]
    let hidden: [HiddenField]
    let otherAddress: String

    static let template = "consent"

    func masked(by mask: inout TextMask) -> ConsentPage {
        ConsentPage(
            clientName: mask.shown(clientName), host: mask.shown(host), accountName: mask.shown(accountName),
            scopes: scopes, hidden: mask.fields(hidden), otherAddress: mask.address(otherAddress))
    }

    func values(in words: Words) -> [String: Any] {
        var values = words.card(heading: "consent.heading", client: clientName, problem: nil)
        values["lead"] = words.sentence("consent.lead", ["client": clientName, "host": host])
        values["account"] = words.sentence("consent.account", ["name": accountName])
        values["scopes"] = scopes.compactMap(TokenScope.init(rawValue:)).compactMap { scope -> [String: Any]? in
            guard let key = Self.key(of: scope) else { return nil }
            return ["scope": scope.rawValue, "label": words.text(key)]
        }
        values["hidden"] = hidden.map(\.values)
        values["other_address"] = otherAddress
        return values
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

extension Messages {
    /// The messages of these pages whose keys code composes.
    package static let promisedByOpenID = Set(ConsentPage.promised)
}
