package import Clients
package import Foundation
import JSON
import Postgres
package import Vocabulary

extension TokenInspector {
    /// A user's access token that an app exchanges, as verified.
    package struct Subject: Sendable {
        package let session: SessionSnapshot
        package let scopes: Set<TokenScope>
        let expires: Date
    }

    /// Verifies an access token of Cognito's form.
    ///
    /// - Throws: `tokenInvalid` also for a derived token: the chain ends with the service that got it.
    package func subject(_ token: String, at now: Date) async throws(Rejection) -> Subject {
        let access = try issuer.verifyCognito(token, at: now)
        let (session, scopes) = try await directory.checkCognito(token, for: nil, at: now)
        return Subject(session: session, scopes: scopes, expires: access.expires)
    }

    /// A token of the app for a service, which lives no longer than the user's.
    ///
    /// Its audit row is written before it is signed, and only while the session lives.
    package func derive(
        from subject: Subject, _ scopes: Set<TokenScope>, for audience: String, by client: Client, caller: Caller,
        at now: Date
    ) async throws(Rejection) -> DerivedToken {
        guard let app = client.dialects.cognito else { throw .clientUnknown() }
        try client.requireKey(nil, at: .cognito)
        let terms = try TokenProfile(of: client, at: .cognito).access
        let life = min(terms.life, Int(subject.expires.timeIntervalSince(now)))
        try await note(subject.session.facts, audience, client, caller)
        guard
            let text = try? issuer.derived(
                subject.session.facts, scopes.intersection(subject.scopes), for: audience, of: app, life: life, at: now)
        else { throw .internalError }
        return DerivedToken(text: text, life: life)
    }

    private func note(
        _ facts: AccessTokenFacts, _ audience: String, _ client: Client, _ caller: Caller
    ) async throws(Rejection) {
        let detail: JSON = ["audience": .string(audience)]
        let isLive = try await rejecting(logger) {
            try await pool.withConnection { connection in
                try connection.queryOne(
                    """
                    insert into audit_inbox (action, outcome, account_id, session_id, client_id, address, request_id, detail)
                    select 'token_derived', 'done', account_id, id, \(client.id), \(caller.address), \(caller.requestID), \(JSONText(detail.text))
                      from sessions where id = \(facts.session) and account_id = \(facts.account) and ended_at is null and expires_at > now()
                    returning true
                    """) != nil
            }
        }
        guard isLive else { throw await directory.ending(of: facts.session) }
    }
}
