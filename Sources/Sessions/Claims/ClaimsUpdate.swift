import Clients
import JSON
import Postgres

/// The new claims of a session, as the database receives them.
package struct ClaimsUpdate: Sendable, Equatable {
    /// The claims from the service; nil keeps the session's claims.
    let claims: JSONObject?
    /// The account attributes that the database adds, by their names there.
    let attributes: [ClaimsPolicy.Mapping]
    /// Seconds until the claims are requested again; nil for never.
    let dueSeconds: Int?

    /// The maximum bytes of attribute claims, names and values together, because each request carries the token.
    fileprivate static let mostAttributeBytes: Int32 = 1_024

    /// For a client that no longer wants extra claims.
    static let none = ClaimsUpdate(claims: [:], attributes: [], dueSeconds: nil)
}

extension SQL.StringInterpolation {
    /// Binds the claims, the map, its maximum bytes and the seconds as four arguments.
    package mutating func appendInterpolation(_ update: ClaimsUpdate) {
        appendInterpolation(update.claims.map { JSONText(JSON.object($0).text) })
        appendLiteral(", ")
        appendInterpolation(JSONText(update.attributes.json.text))
        appendLiteral(", ")
        appendInterpolation(ClaimsUpdate.mostAttributeBytes)
        appendLiteral(", ")
        appendInterpolation(update.dueSeconds.map { Int32($0) })
    }
}
