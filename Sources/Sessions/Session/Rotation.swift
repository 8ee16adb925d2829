import Accounts
import Foundation
import JSON
import Postgres

/// What a rotation of a refresh token came to (`0010_refresh.sql`).
enum Rotation: Sendable {
    case rotated(AccessTokenFacts, at: Date, idleExpiresAt: Date)
    /// Nothing was changed: the claims are to be asked for first.
    case claimsDue(account: UUID, client: String)
    case refused(Rejection)

    /// - Parameter renewal: the claims from now on; nil where they have not been asked for.
    static func statement(
        _ token: RefreshToken, _ successor: RefreshToken, _ renewal: ClaimsUpdate?, _ caller: Caller
    ) -> SQL {
        """
        select outcome, account_id, client_id, provider, auth_time, amr, acr, rotated_at, idle_expires_at, claims::text
          from rotate_refresh_token(\(token.session), \(Int32(token.generation)), \(token.digest), \(successor.digest),
                                    \(Int32(SessionService.retryGrace)), \(caller.address), \(caller.requestID)\(renewing: renewal))
        """
    }

    /// Reads the statement's answer.
    init(_ row: Row?, of token: RefreshToken) throws {
        guard let row else {
            self = .refused(.internalError)
            return
        }
        self =
            switch try row.value(0, as: String.self) {
            case "rotated", "repeated": try Self.rotated(row, token.session)
            case "claims_due": .claimsDue(account: try row.value(1), client: try row.value(2))
            case "reused": .refused(.refreshTokenReused)
            case "expired": .refused(.refreshTokenExpired)
            case "ended": .refused(.sessionEnded)
            case "client_disabled": .refused(.clientUnknown)
            default: .refused(.refreshTokenInvalid)
            }
    }

    private static func rotated(_ row: Row, _ session: UUID) throws -> Rotation {
        .rotated(
            AccessTokenFacts(
                session: session, account: try row.value(1), clientID: try row.value(2), provider: try row.value(3),
                authTime: try row.value(4), amr: try row.value(5), acr: try row.value(6),
                claims: try JSONObject(claims: row.value(9))),
            at: try row.value(7), idleExpiresAt: try row.value(8))
    }
}

extension SQL.StringInterpolation {
    /// Binds the arguments of a rotation that brings claims along.
    fileprivate mutating func appendInterpolation(renewing update: ClaimsUpdate?) {
        guard let update else { return }
        appendLiteral(", true, ")
        appendInterpolation(update)
    }
}

extension JSONObject {
    /// The claims that a row tells; none where there is nothing.
    init(claims text: String?) throws {
        self = try text.map { try JSON(parsing: $0).object ?? [:] } ?? [:]
    }
}
