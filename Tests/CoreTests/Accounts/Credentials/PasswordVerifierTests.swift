import Cryptography
import Foundation
import JSON
import Postgres
import TestSupport
import Testing

@testable import Accounts

@Suite("The verifiers of a password")
struct PasswordVerifierTests {
    /// A statement that stores another hash.
    enum Change: String, CaseIterable, Sendable {
        case reset, change, temporaryPassword, resetStep, rehashStep, rehashAtSignIn

        func statement(_ account: UUID, _ session: UUID, _ new: PasswordVerifiers) -> SQL {
            switch self {
            case .reset:
                "select replace_password(\(account), \(new), 'reset', null, false, null, null, null, null, 'test')::text"
            case .change: "select change_password(\(account), \(session), 600, 'h1', \(new), null, null, 'test')"
            case .temporaryPassword: "select set_password_state(\(account), 'temporary', \(new), 'operator', 'test')"
            case .resetStep: effect(["kind": "password", "reason": "reset"], account, new)
            case .rehashStep: effect(["kind": "rehash", "old": "h1"], account, new)
            case .rehashAtSignIn:
                """
                select outcome
                  from finish_password_sign_in(
                      \(account), 'h1', \(new), '{}', '{}', '{}', null,
                      row(gen_random_uuid(), 'app', 'password', sha256('refresh'), now(), array['pwd'], '1', 3600, 7200, null,
                          'net', null, 'test', null, false, 600, 60, 8, null, null, null, true, null, null, null)::session_request,
                      '{"demanded": false, "proofs": []}')
                """
            }
        }

        private func effect(_ members: JSONObject, _ account: UUID, _ new: PasswordVerifiers) -> SQL {
            var effect = new.json.object ?? [:]
            for member in members.members { effect[member.name] = member.value }
            let text = JSONText(JSON.object(effect).text)
            return "select apply_flow_effect(\(account), \(text), null, null, null, null, 'test')"
        }
    }

    /// The changes that re-encode the same password.
    private static let renewals: Set<Change> = [.rehashStep, .rehashAtSignIn]

    @Test(
        "P-18: another password leaves no SRP verifier of the old one; another hash of it keeps them",
        arguments: Change.allCases)
    func replaced(by change: Change) async throws {
        try await withTestDatabase { database in
            let person = try await Person(database)
            #expect(try await person.stored() == person.verifiers("h1"))
            try await person.run(change.statement(person.account, person.session, PasswordVerifiers(hash: "h2")))
            let kept = Self.renewals.contains(change) ? person.verifiers("h1").srp : []
            #expect(try await person.stored() == PasswordVerifiers(hash: "h2", srp: kept))
        }
    }

    @Test("verifiers that are made together are stored together", arguments: Change.allCases)
    func stored(by change: Change) async throws {
        try await withTestDatabase { database in
            let person = try await Person(database)
            let new = person.verifiers("h2")
            try await person.run(change.statement(person.account, person.session, new))
            #expect(try await person.stored() == new)
        }
    }

    @Test("a missing verifier is stored at the next sign-in, with the hash unchanged")
    func missing() async throws {
        try await withTestDatabase { database in
            let person = try await Person(database, hasSRP: false)
            #expect(try await person.stored() == PasswordVerifiers(hash: "h1"))
            let both = person.verifiers("h1")
            try await person.run(Change.rehashAtSignIn.statement(person.account, person.session, both))
            #expect(try await person.stored() == both)
        }
    }

    @Test("a sign-up stores all verifiers of its password")
    func signUp() async throws {
        try await withTestDatabase { database in
            let person = try await Person(database)
            let other = Person(account: UUID(), database: database)
            let state: JSON = [
                "email": "eve@example.com", "email_key": "eve@example.com", "password": other.verifiers("h3").json,
            ]
            try await person.run(
                "select add_signed_up_account(\(other.account), \(JSONText(state.text)), 'eve@example.com', null, 'test')"
            )
            #expect(try await other.stored() == other.verifiers("h3"))
        }
    }

    @Test("P-18: a password that moves to another account leaves its SRP verifier behind")
    func moved() async throws {
        try await withTestDatabase { database in
            let person = try await Person(database)
            let other = Person(account: UUID(), database: database)
            try await person.run("insert into accounts (id) values (\(other.account)) returning 'made'")
            try await person.run(
                "select move_items(\(person.account), \(other.account), '{\"password\": true}')::text")
            #expect(try await other.stored() == PasswordVerifiers(hash: "h1"))
        }
    }

    @Test("P-18: a verifier of another password is not found, and a name takes its verifier along")
    func outdated() async throws {
        try await withTestDatabase { database in
            let person = try await Person(database)
            try await person.run("update passwords set hash = 'h2' returning 'changed'")
            #expect(try await person.stored() == PasswordVerifiers(hash: "h2"))
            let other = Person(account: UUID(), database: database)
            try await person.run("insert into accounts (id) values (\(other.account)) returning 'made'")
            try await person.run(
                "insert into passwords (account_id, hash) values (\(other.account), 'h1') returning 'made'")
            try await person.run("select keep_srp_verifiers(\(other.account), \(person.verifiers("h1")))::text")
            #expect(try await other.stored() == person.verifiers("h1"))
        }
    }
}

/// An account with a password and a session.
private struct Person: Sendable {
    let account: UUID
    let session = UUID()
    private let database: TestDatabase

    /// One that no statement has made yet.
    init(account: UUID, database: TestDatabase) {
        (self.account, self.database) = (account, database)
    }

    init(_ database: TestDatabase, hasSRP: Bool = true) async throws {
        self.init(account: UUID(), database: database)
        let password = hasSRP ? verifiers("h1") : PasswordVerifiers(hash: "h1")
        let state: JSONObject = [
            "email": "ann@example.com", "email_key": "ann@example.com", "password": password.json,
        ]
        try await run(
            """
            select create_account(\(account), \(JSONText(JSON.object(state).text)), '{ann@example.com}', 'usable', null,
                                  'operator', null, 'test')
            """)
        try await run("insert into clients (id, name) values ('app', 'App') returning id")
        try await run(
            """
            insert into sessions (id, account_id, client_id, provider, auth_time, amr, acr, refresh_digest, rotated_at,
                                  idle_seconds, idle_expires_at, expires_at)
            values (\(session), \(account), 'app', 'password', now(), '{pwd}', '1', '\\x01', now(), 3600,
                    now() + interval '1 hour', now() + interval '1 day')
            returning client_id
            """)
    }

    func verifiers(_ hash: String) -> PasswordVerifiers {
        PasswordVerifiers(
            hash: hash,
            srp: [
                SealedSRPVerifier(
                    user: session, realm: "Pool", group: .modp3072SHA256, sealed: SHA256.hash("verifier of \(hash)"))
            ])
    }

    /// Runs a statement with a text as its result.
    func run(_ statement: SQL) async throws {
        let word: String? = try await database.pool.withConnection { try $0.row(statement).value(0) }
        #expect([nil, "", "changed", "created", "done", "signed_in", "made", "app"].contains(word))
    }

    func stored() async throws -> PasswordVerifiers {
        try await database.pool.withConnection { connection in
            let hash: String = try connection.row("select hash from passwords where account_id = \(account)").value(0)
            let srp = try connection.query(
                """
                select user_id, realm, group_id, sealed from srp_verifiers
                 where account_id = \(account) and hash = \(hash) order by user_id
                """
            ).map { row in
                SealedSRPVerifier(
                    user: try row.value(0), realm: try row.value(1),
                    group: try #require(.init(rawValue: try row.value(2, as: String.self))), sealed: try row.value(3))
            }
            return PasswordVerifiers(hash: hash, srp: srp)
        }
    }
}
