import Clients
import Foundation
import JSON
import Postgres
import Vocabulary

/// The result of presenting a refresh token (`rotate_refresh_token.sql`).
enum Rotation: Sendable {
    case rotated(Refreshed)
    /// The presented token stays the session's.
    case kept(Refreshed)
    /// Nothing was changed: the claims have to be requested first.
    case claimsDue(account: UUID, client: String)
    case refused(Rejection)

    /// The session after a refresh.
    struct Refreshed: Sendable {
        let facts: AccessTokenFacts
        /// The issue time of the access token: the time of the refresh, of the repeated one, or now for a late repeat.
        let at: Date
        let idleExpiresAt: Date
        /// See ``Client/audiences(administers:)``.
        let administers: Bool
        let scopes: Set<TokenScope>
        let resources: ResourceScopes

        /// The lifetime of the refresh token, in seconds.
        var seconds: Int { Int(idleExpiresAt.timeIntervalSince(at)) }
    }

    /// - Parameters:
    ///   - owner: the id of the requesting client; nil if the request names none.
    ///   - relaxed: the ids of the clients with relaxed rotation.
    ///   - dialect: the session's; the session of another dialect is refused.
    ///   - resource: the identifier of the resource that the access token is for; nil for the only one, or none.
    ///   - renewal: the new claims; nil if they were not requested.
    static func statement(
        _ token: RefreshToken, _ successor: RefreshToken, owner: String?, repeats: RefreshRepeats,
        budget: RefreshBudget,
        relaxed: [String], at dialect: TokenDialect, for resource: String?, _ renewal: ClaimsUpdate?, _ caller: Caller
    ) -> SQL {
        """
        select outcome, account_id, client_id, provider, auth_time, amr, acr, issued_at, idle_expires_at, claims::text, administers, scopes, wait,
               case when \(dialect == .cognito) then (select proofs::text from sessions where id = \(token.session)) end,
               actor_id, subject
          from rotate_refresh_token(\(token.session), \(Int32(token.generation)), \(token.digest), \(successor.digest), \(owner),
                                    \(Int32(RefreshRepeats.window)), \(Int32(repeats.late)), \(RefreshRepeats.maximumLateGenerations), \(caller.address),
                                    \(caller.requestID)\(renewing: renewal), p_relaxed => \(relaxed), p_dialect => \(dialect.stored),
                                    p_burst => \(budget.perHour), p_period => \(budget.periodMilliseconds), p_resource => \(resource), p_key => \(caller.key))
        """
    }

    /// Reads the row of ``statement(_:_:owner:repeats:budget:relaxed:at:for:_:_:)``.
    init(_ row: Row?, of token: RefreshToken) throws {
        guard let row else {
            self = .refused(.internalError)
            return
        }
        self =
            switch try row.value(0, as: RotationWord.self) {
            case .rotated, .repeated: .rotated(try Refreshed(row, token.session))
            case .kept: .kept(try Refreshed(row, token.session))
            case .claimsDue: .claimsDue(account: try row.value(1), client: try row.value(2))
            case .reused: .refused(.refreshTokenReused)
            case .throttled: .refused(.throttled(retryAfter: try row.wholeSeconds(12)))
            case .expired: .refused(.refreshTokenExpired)
            case .ended: .refused(.sessionEnded())
            case .clientDisabled: .refused(.clientUnknown())
            case .targetRefused: .refused(.targetInvalid())
            case .clientUnproved: .refused(.clientAuthenticationFailed)
            case .unknown, .otherClient, .otherKey: .refused(.refreshTokenInvalid)
            }
    }
}

extension Rotation.Refreshed {
    fileprivate init(_ row: Row, _ session: UUID) throws {
        let scopes = try row.value(11, as: [String]?.self) ?? []
        self.init(
            facts: AccessTokenFacts(
                session: session, account: try row.value(1), pairwise: try row.value(15), clientID: try row.value(2),
                provider: try row.value(3),
                authTime: try row.value(4), amr: try row.value(5), acr: try row.value(6),
                proofs: try Proofs(stored: row.value(13)), actor: try row.value(14),
                claims: try JSONObject(claims: row.value(9))),
            at: try row.value(7), idleExpiresAt: try row.value(8), administers: try row.value(10),
            scopes: Set(names: scopes), resources: ResourceScopes(names: scopes))
    }
}

/// The outcomes of `rotate_refresh_token`.
enum RotationWord: String, OutcomeWord {
    static let functions = ["rotate_refresh_token"]

    case rotated, kept, repeated, reused, expired, ended, unknown, throttled
    case claimsDue = "claims_due"
    case clientDisabled = "client_disabled"
    case clientUnproved = "client_unproved"
    case otherKey = "other_key"
    case otherClient = "other_client"
    case targetRefused = "target_refused"
}

extension SQL.StringInterpolation {
    /// Binds the arguments of a rotation with new claims.
    fileprivate mutating func appendInterpolation(renewing update: ClaimsUpdate?) {
        guard let update else { return }
        appendLiteral(", true, ")
        appendInterpolation(update)
    }
}

extension JSONObject {
    /// The claims of a row; empty for a null.
    init(claims text: String?) throws {
        self = try text.map { try JSON(parsing: $0).object ?? [:] } ?? [:]
    }
}
