import Accounts
import Foundation
import Postgres

/// What a rotation of a refresh token came to (`0010_refresh.sql`).
enum Rotation: Sendable {
    case rotated(AccessTokenFacts, at: Date, idleExpiresAt: Date)
    case refused(Rejection)

    static func perform(_ token: RefreshToken, _ successor: RefreshToken, _ caller: Caller, _ connection: Connection)
        throws -> Rotation
    {
        let row = try connection.queryOne(
            """
            select outcome, account_id, client_id, provider, auth_time, amr, acr, rotated_at, idle_expires_at
              from rotate_refresh_token(\(token.session), \(Int32(token.generation)), \(token.digest), \(successor.digest),
                                        \(Int32(SessionService.retryGrace)), \(caller.address), \(caller.requestID))
            """)
        guard let row else { return .refused(.internalError) }
        switch try row.value(0, as: String.self) {
        case "rotated", "repeated": return try rotated(row, token.session)
        case "reused": return .refused(.refreshTokenReused)
        case "expired": return .refused(.refreshTokenExpired)
        case "ended": return .refused(.sessionEnded)
        default: return .refused(.refreshTokenInvalid)
        }
    }

    private static func rotated(_ row: Row, _ session: UUID) throws -> Rotation {
        .rotated(
            AccessTokenFacts(
                session: session, account: try row.value(1), clientID: try row.value(2), provider: try row.value(3),
                authTime: try row.value(4), amr: try row.value(5), acr: try row.value(6)),
            at: try row.value(7), idleExpiresAt: try row.value(8))
    }
}
