import Postgres
import TestSupport
import Testing

/// Invariants of the database after any run, including a failed one.
enum Invariants {
    private struct Rule: Sendable {
        let text: String
        /// Returns the number of rows that violate the rule.
        let query: SQL
    }

    private static let rules = [
        Rule(
            text: "one account for each (provider, realm, subject)",
            query: """
                select count(*) from (select 1 from identities group by provider, realm, subject having count(*) > 1) broken
                """),
        Rule(
            text: "each refresh generation is redeemed into at most one successor",
            query: """
                select count(*) from sessions s
                 where s.generation <> (select count(*) from audit_events e
                                         where e.session_id = s.id and e.action = 'refreshed' and e.outcome = 'done'
                                           and e.reason is distinct from 'token_kept')
                """),
        Rule(
            text: "nothing is open after an acknowledged revocation",
            query: """
                select count(*) from sessions s join accounts a on a.id = s.account_id
                 where s.ended_at is null and (a.status <> 'active' or exists (
                       select from audit_events e where e.action = 'session_ended' and e.session_id = s.id and e.outcome = 'done'))
                """),
        Rule(
            text: "every account has a usable credential, or is closed, a guest, imported, or made and never used",
            query: """
                select count(*) from accounts a
                 where a.status <> 'closed' and not a.guest and not exists (select from identities i where i.account_id = a.id)
                   and not has_sign_in_method(a.id, array['password', 'email_otp', 'sms_otp', 'passkey'])
                   and not exists (select from imported_accounts i where i.account_id = a.id)
                   and (exists (select from sessions s where s.account_id = a.id)
                        or not exists (select from audit_events e where e.account_id = a.id and e.action = 'account_created'
                                        and e.reason = 'operator'))
                """),
        Rule(
            text: "no guest has a sign-in method",
            query: """
                select count(*) from accounts a
                 where a.guest and (exists (select from identities i where i.account_id = a.id)
                                    or has_sign_in_method(a.id, array['password', 'email_otp', 'sms_otp', 'passkey']))
                """),
        Rule(
            text: "no session without the audit row that tells of it, and no two",
            query: """
                select count(*) from sessions s
                 where 1 <> (select count(*) from audit_events e where e.session_id = s.id and e.outcome = 'done'
                              and (e.action in ('signed_in', 'account_created', 'app_signed_in', 'impersonation_begun')
                                   or e.action = 'identity_linked' and e.reason in ('both_proved', 'accompanying_session')
                                      and not exists (select from audit_events i where i.session_id = s.id and i.action = 'signed_in')))
                """),
        Rule(
            text: "no account without the audit row that tells of it, and no two",
            query: """
                select count(*) from accounts a
                 where 1 <> (select count(*) from audit_events e
                              where e.account_id = a.id and e.action = 'account_created' and e.outcome = 'done')
                """),
        Rule(
            text: "no identity without the audit row that tells of it",
            query: """
                select count(*) from identities i
                 where not exists (select from audit_events e where e.outcome = 'done' and e.identity_id = i.id
                                    and e.action in ('account_created', 'identity_linked'))
                """),
        Rule(
            text: "no row refers to an account that is gone",
            query: """
                select count(*) from (
                       select account_id from account_emails union all select account_id from identities
                       union all select account_id from passwords union all select account_id from sessions
                       union all select account_id from flows where account_id is not null
                       union all select account_id from outbox where account_id is not null) r
                 where not exists (select from accounts a where a.id = r.account_id)
                """),
        Rule(
            text: "no flow is spent twice",
            query: """
                select count(*) from (select 1 from audit_events where action = 'identity_linked' and outcome = 'done'
                                       group by identity_id having count(*) > 1) broken
                """),
        Rule(
            text: "a message that is settled says nothing any more, and one that waits can be sent",
            query: """
                select count(*) from outbox
                 where (state = 'waiting') is distinct from (sealed is not null or detail is not null)
                """),
        Rule(
            text: "a proved address belongs to one account",
            query: """
                select count(*) from (select 1 from account_emails where proved_at is not null and not is_relay
                                       group by address_key having count(*) > 1) broken
                """),
    ]

    /// Records an issue for each violated rule.
    static func check(_ database: TestDatabase, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await check(sourceLocation: sourceLocation) { query in
            try await database.pool.withConnection { try $0.queryOne(query)?.value(0, as: Int.self) }
        }
    }

    /// The same for any database.
    ///
    /// - Parameter count: returns the number that a query selects.
    static func check(
        sourceLocation: SourceLocation = #_sourceLocation, _ count: (SQL) async throws -> Int?
    ) async throws {
        for rule in rules {
            let broken = try await count(rule.query)
            #expect(broken == 0, "invariant: \(rule.text)", sourceLocation: sourceLocation)
        }
    }
}
