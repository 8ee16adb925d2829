package import Clients
import JSON
package import Sessions

/// The claims that a request names one by one (`claims`, OpenID Connect Core §5.5).
package struct RequestedClaims: Sendable, Equatable {
    package private(set) var names = RequestedClaimNames.none
    /// The user that the app expects, by `sub`.
    private(set) var subject: String?
    /// The levels of which one must be reached; empty for any.
    private(set) var essentialLevels: [String] = []

    package static let none = RequestedClaims()

    private init() {}

    /// The claims that granted scopes cover; a claim of no scope needs no grant.
    package func names(in granted: Set<TokenScope>) -> RequestedClaimNames {
        let refused = Set(TokenScope.own.filter { !granted.contains($0) }.flatMap(\.claims))
        return RequestedClaimNames(
            userInfo: names.userInfo.subtracting(refused), idToken: names.idToken.subtracting(refused))
    }

    /// - Throws: `invalid_request` for text that is no JSON object of objects. Unknown claims and members have no effect.
    init(parsing text: String) throws(AuthorizationFault) {
        guard let object = (try? JSON(parsing: text))?.object else { throw .invalid("claims", "no JSON object") }
        let entries = try Self.entries(object, "id_token")
        names = RequestedClaimNames(
            userInfo: Set(try Self.entries(object, "userinfo").map(\.name)), idToken: Set(entries.map(\.name)))
        for entry in entries {
            switch entry.name {
            case "sub": subject = entry.value["value"]?.string
            case "acr" where entry.value["essential"] == true:
                let one = entry.value["value"]?.string.map { [$0] }
                essentialLevels = one ?? entry.value["values"]?.array?.compactMap(\.string) ?? []
            default: break
            }
        }
    }

    private static func entries(
        _ object: JSONObject, _ part: String
    ) throws(AuthorizationFault) -> [(name: String, value: JSON)] {
        guard let value = object[part], !value.isNull else { return [] }
        guard let members = value.object?.members, members.allSatisfy({ $0.value.isNull || $0.value.object != nil })
        else { throw .invalid("claims", "\(part) is no object of objects") }
        return members.map { ($0.name, $0.value) }
    }
}
