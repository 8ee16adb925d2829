import JSON
import Postgres

/// What a session's claims are to be, as the database is told of it.
struct ClaimsUpdate: Sendable, Equatable {
    /// Of the service; nil leaves the session's claims as they are.
    let claims: JSONObject?
    /// What the database adds of the account's attributes.
    let attributes: [ClaimsPolicy.Mapping]
    /// Seconds until they are to be asked for again; nil for never.
    let dueSeconds: Int?

    /// Of the claims that attributes give, names and values together: a token goes along with every request.
    fileprivate static let mostAttributeBytes: Int32 = 1_024

    /// For a client that wants none any more.
    static let none = ClaimsUpdate(claims: [:], attributes: [], dueSeconds: nil)
}

extension SQL.StringInterpolation {
    /// Binds claims, map, its most bytes and seconds as four arguments.
    mutating func appendInterpolation(_ update: ClaimsUpdate) {
        appendInterpolation(update.claims.map { JSONText(JSON.object($0).text) })
        appendLiteral(", ")
        appendInterpolation(JSONText(update.attributes.json.text))
        appendLiteral(", ")
        appendInterpolation(ClaimsUpdate.mostAttributeBytes)
        appendLiteral(", ")
        appendInterpolation(update.dueSeconds.map { Int32($0) })
    }
}
