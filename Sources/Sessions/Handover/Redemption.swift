import Clients
import Cryptography
import Foundation
import Postgres
import Vocabulary

/// The result of `web/redeem_handover_code.sql`.
enum Redemption: Sendable {
    case redeemed(Found)
    case refused

    /// The session of a redeemed code.
    struct Found: Sendable {
        let facts: AccessTokenFacts
        let at: Date
        let idleExpiresAt: Date
        /// See ``Client/audiences(administers:)``.
        let administers: Bool
        let scopes: Set<TokenScope>
        let resources: ResourceScopes
        let nonce: String?
        let requested: RequestedClaimNames

        /// The lifetime of the refresh token, in seconds.
        var seconds: Int { Int(idleExpiresAt.timeIntervalSince(at)) }
    }

    fileprivate init(_ row: Row, of code: HandoverCode, _ client: String) throws {
        switch try row.value(0, as: HandoverRedemption.self) {
        case .redeemed: break
        case .invalid, .reused:
            self = .refused
            return
        case .deletionWaits: throw Rejection.deletionWaits
        case .targetRefused: throw Rejection.targetInvalid()
        }
        let scopes = try row.value(9, as: [String]?.self) ?? []
        self = .redeemed(
            Found(
                facts: AccessTokenFacts(
                    session: code.session, account: try row.value(1), pairwise: try row.value(13), clientID: client,
                    provider: try row.value(2),
                    authTime: try row.value(3), amr: try row.value(4), acr: try row.value(5),
                    proofs: try Proofs(stored: row.value(11)), actor: try row.value(12)),
                at: try row.value(6), idleExpiresAt: try row.value(7), administers: try row.value(8),
                scopes: Set(names: scopes), resources: ResourceScopes(names: scopes), nonce: code.nonce,
                requested: try RequestedClaimNames(stored: row.value(10))))
    }
}

extension HandoverService {
    /// Claims the session of a code; the statement spends the code, valid or not.
    func redemption(
        of code: HandoverCode, _ claim: Claim, _ client: Client, at dialect: TokenDialect, for resource: String?,
        _ caller: Caller, _ connection: Connection
    ) throws -> Redemption {
        let shown = CodeBinding(
            redirectURI: claim.redirectURI, challenge: claim.verifier.map(PKCE.challenge), key: caller.key)
        let idle = Int32(try TokenProfile(of: client, at: dialect).refresh.idle)
        let row = try connection.row(
            """
            select outcome, account_id, provider, auth_time, amr, acr, redeemed_at, idle_expires_at, administers, scopes,
                   requested_claims::text,
                   case when \(dialect == .cognito) then (select proofs::text from sessions where id = \(code.session)) end,
                   actor_id, subject
              from redeem_handover_code(\(code.session), \(tokens.refreshTokens.first(for: code).digest), \(code.isBound(to: shown)),
                                        \(client.id), \(idle), \(caller.address), \(caller.userAgent), \(caller.requestID),
                                        \(dialect.stored), \(resource), \(caller.key))
            """)
        return try Redemption(row, of: code, client.id)
    }
}

/// The outcomes of `redeem_handover_code`.
enum HandoverRedemption: String, OutcomeWord {
    static let functions = ["redeem_handover_code"]

    case redeemed, invalid, reused
    case deletionWaits = "deletion_waits"
    case targetRefused = "target_refused"
}
