package import Clients
package import Foundation
package import JSON
package import Logging
package import Postgres
import Providers
package import Vocabulary

/// Gives sessions the claims that their client wants in its tokens.
///
/// The session requests them when it begins and stores them, so that a retry returns the same token.
package final class ClaimsService: Sendable {
    private let pool: ConnectionPool
    private let callout: ClaimsCallout
    private let caller: ClaimsCaller
    private let logger: Logger

    /// Seconds before a service that gave no answer is called again.
    static let pause = 60

    /// - Parameter tenant: the GUID that identifies this gateway to services; nil derives it from the issuer.
    package init(pool: ConnectionPool, callout: ClaimsCallout, issuer: TokenIssuer, tenant: String?, logger: Logger) {
        (self.pool, self.callout, self.logger) = (pool, callout, logger)
        caller = ClaimsCaller(issuer: issuer, tenant: tenant)
    }

    /// Requests the claims of a new session before its tokens are issued.
    ///
    /// - Throws: `claimsUnavailable` if the client requires an answer; the session then ends.
    package func begin(_ session: UUID, account: AccountSummary, client: Client, _ caller: Caller)
        async throws(Rejection)
        -> JSONObject?
    {
        guard let policy = client.claims else { return nil }
        do throws(Rejection) {
            let update = try await update(policy, account: account, client: client, caller, keeps: false)
            return try await keep(update, session)
        } catch {
            try await end(session, account.id, client, caller)
            throw error
        }
    }

    /// Returns the session's new claims for the caller to store.
    func renewed(account: AccountSummary, client: Client, _ caller: Caller) async throws(Rejection) -> ClaimsUpdate {
        guard let policy = client.claims else { return .none }
        return try await update(policy, account: account, client: client, caller, keeps: true)
    }

    /// Renews and stores the claims of a session without refresh token rotation.
    func renew(_ session: SessionSnapshot, client: Client, _ caller: Caller) async throws(Rejection) {
        _ = try await keep(try await renewed(account: session.account, client: client, caller), session.facts.session)
    }

    private func update(
        _ policy: ClaimsPolicy, account: AccountSummary, client: Client, _ caller: Caller, keeps: Bool
    ) async throws(Rejection) -> ClaimsUpdate {
        let attributes = policy.attributes.map {
            ClaimsPolicy.Mapping(attribute: client.knownAttributes.key(of: $0.attribute), claim: $0.claim)
        }
        guard let service = policy.service else {
            return ClaimsUpdate(claims: [:], attributes: attributes, dueSeconds: policy.refreshSeconds)
        }
        do throws(ProviderError) {
            let bearer = try self.caller.token(for: service)
            let event = self.caller.event(account: account, client: client, caller)
            let told = try await callout.claims(for: event, at: service.url, bearer: bearer)
            return ClaimsUpdate(
                claims: JSONObject(
                    told.members.filter { service.allowed.contains($0.name) && ClaimName.isAllowed($0.name) }),
                attributes: attributes, dueSeconds: policy.refreshSeconds)
        } catch {
            report(error, client)
            guard !policy.isClosed else { throw .claimsUnavailable }
            return ClaimsUpdate(claims: keeps ? nil : [:], attributes: attributes, dueSeconds: Self.pause)
        }
    }

    private func keep(_ update: ClaimsUpdate, _ session: UUID) async throws(Rejection) -> JSONObject? {
        let kept: String? = try await rejecting(logger) {
            try await pool.withConnection { connection in
                try connection.queryOne("select c::text from set_session_claims(\(session), \(update)) c")?.value(0)
            }
        }
        guard let kept, let claims = (try? JSON(parsing: kept))?.object else { throw .sessionEnded() }
        return claims
    }

    private func end(_ session: UUID, _ account: UUID, _ client: Client, _ caller: Caller) async throws(Rejection) {
        try await rejecting(logger) {
            try await pool.withConnection { connection in
                _ = try connection.queryOne(
                    "select end_session(\(account), \(session), 'claims_unavailable', \(client.id), \(caller.address), \(caller.requestID))"
                )
            }
        }
    }

    private func report(_ error: ProviderError, _ client: Client) {
        guard case .unavailable(let reason, _) = error else {
            return logger.error("a claims service can't be asked", metadata: ["client": "\(client.id)"])
        }
        logger.warning("a claims service gives nothing", metadata: ["client": "\(client.id)", "reason": "\(reason)"])
    }
}
