import Accounts
import Cryptography
import Foundation
import Postgres
import TestSupport

@testable import OperatorAccess
@testable import Operators
@testable import Vocabulary

/// Accounts for tests, inserted by SQL, and the desks that manage them.
struct People: Sendable {
    let database: TestDatabase
    var desk: AdminDesk { AdminDesk(pool: database.pool) }
    var merging: AccountMerging { AccountMerging(desk: desk, signInMethods: Self.signInMethods) }
    var moves: IdentityMoves { IdentityMoves(desk: desk, signInMethods: Self.signInMethods) }
    var care: AccountCare { AccountCare(desk: desk, signInMethods: Self.signInMethods) }
    var records: AccountRecords { AccountRecords(desk: desk) }
    var search: AccountSearch { AccountSearch(desk: desk) }
    var operators: OperatorDesk { OperatorDesk(desk: desk) }

    static let signInMethods = ["apple", "amazon", "password", "email_otp", "passkey"]
    static let commandLine = AdminActor.commandLine(requestID: "test")

    static var keys: MasterKeys { get throws { try MasterKeys("k1:" + Base64URL.encode(SHA256.hash("k1"))) } }

    static var reason: Reason { get throws { try Reason("asked for by the person") } }

    @discardableResult
    func account(
        _ name: String? = nil, emails: [String] = [], unproved: [String] = [], phones: [String] = [],
        identities: [String] = [], password: Bool = false, attributes: String = "{}"
    ) async throws -> UUID {
        let id = UUID.v7(at: Date(), random: .system)
        try await database.pool.withTransaction { connection in
            try connection.execute(
                "insert into accounts (id, display_name, attributes) values (\(id), \(name), \(JSONText(attributes)))")
            for (place, address) in (emails + unproved).enumerated() {
                try connection.execute(
                    """
                    insert into account_emails (account_id, address_key, address, source, proved_at, is_main)
                    values (\(id), \(address), \(address), 'person', case when \(emails.contains(address)) then now() end, \(place == 0))
                    """)
            }
            for (place, number) in phones.enumerated() {
                try connection.execute(
                    """
                    insert into account_phones (account_id, phone_key, source, proved_at, is_main)
                    values (\(id), \(number), 'person', now(), \(place == 0))
                    """)
            }
            for subject in identities {
                try connection.execute(
                    """
                    insert into identities (id, account_id, provider, realm, subject, linked_by)
                    values (\(UUID.v7(at: Date(), random: .system)), \(id), 'apple', 'TEAM', \(subject), 'no_match')
                    """)
            }
            if password {
                try connection.execute("insert into passwords (account_id, hash) values (\(id), 'hash')")
            }
            // The sealer does this for an account created with its event.
            try connection.execute("select refresh_search_terms(\([id]))")
        }
        return id
    }

    /// A session of an account, with a proof of some seconds ago.
    ///
    /// - Parameter client: `app` has administration; every other one has only its own API.
    func session(
        _ account: UUID, acr: String = "2", secondsAgo: Int = 1, identity: UUID? = nil, client: String = "app"
    ) async throws -> UUID {
        let id = UUID.v7(at: Date(), random: .system)
        try await database.pool.withTransaction { connection in
            let audiences = client == "app" ? ["account", "administration"] : []
            try connection.execute(
                "insert into clients (id, name, audiences) values (\(client), 'App', \(audiences)) on conflict do nothing"
            )
            try connection.execute(
                """
                insert into sessions (id, account_id, client_id, identity_id, provider, auth_time, amr, acr, refresh_digest, rotated_at,
                                      idle_seconds, idle_expires_at, expires_at, administers)
                values (\(id), \(account), \(client), \(identity), 'password', now() - make_interval(secs => \(Int32(secondsAgo))), '{pwd}', \(acr),
                        \(Array("digest \(id)".utf8)), now(), 3600, now() + interval '1 hour', now() + interval '1 day', \(client == "app"))
                """)
        }
        return id
    }

    /// An operator with a fully proved session.
    func operatorWith(_ role: OperatorRole, acr: String = "2", secondsAgo: Int = 1) async throws -> AdminActor {
        let account = try await account("Olga", emails: ["olga-\(UUID().uuidString.lowercased())@example.com"])
        try await operators.grant(role, to: account, because: Self.reason, by: Self.commandLine, force: true)
        let session = try await session(account, acr: acr, secondsAgo: secondsAgo)
        return .session(
            account: account, session: session, Caller(address: "192.0.2.7", requestID: "request of \(role.rawValue)"))
    }

    /// An authenticator app, as if the user had enrolled it.
    func enrol(_ account: UUID) async throws {
        try await change(
            """
            insert into factors (id, account_id, kind, name, sealed, counter)
            values (\(UUID.v7(at: Date(), random: .system)), \(account), 'totp', 'Phone', 'sealed', 0)
            """)
        try await change("update accounts set mfa = true where id = \(account)")
    }

    func identities(of account: UUID) async throws -> [String] {
        try await texts("select subject from identities where account_id = \(account) order by 1")
    }

    func emails(of account: UUID) async throws -> [String] {
        try await texts(
            """
            select address_key || case when proved_at is null then ' unproved' else '' end || case when is_main then ' main' else '' end
              from account_emails where account_id = \(account) order by 1
            """)
    }

    func identity(_ subject: String) async throws -> UUID {
        try await database.pool.withConnection { connection in
            let id: UUID? = try connection.queryOne("select id from identities where subject = \(subject)")?.value(0)
            guard let id else { throw AdminRefusal.notFound }
            return id
        }
    }

    func status(_ account: UUID) async throws -> String {
        try await texts("select status from accounts where id = \(account)").first ?? "none"
    }

    func texts(_ statement: SQL) async throws -> [String] {
        try await database.pool.withConnection { connection in
            try connection.query(statement).map { try $0.value(0) }
        }
    }

    /// Changes rows by SQL.
    func change(_ statement: SQL) async throws {
        _ = try await database.pool.withConnection { try $0.execute(statement) }
    }

    /// All sign-in methods of all accounts, with owner and claims: to compare before and after.
    func picture() async throws -> [String] {
        try await texts(
            """
            select account_outline(id)::text || account_mains(id)::text || attributes::text || coalesce(display_name, '') || coalesce(user_name, '')
              from accounts order by id
            """)
    }
}

func withPeople(_ body: (People) async throws -> Void) async throws {
    try await withTestDatabase { try await body(People(database: $0)) }
}
