import Clients
import Cryptography
import Foundation
import TestSupport
import Testing

@testable import Postgres
@testable import SignIn
@testable import Vocabulary

/// What a device sends with a sign-in.
struct Device: Sendable {
    var name: String?
    var agent: String?
    var address = "192.0.2.7"
    var token: String?
    var session: UUID?

    static let firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"

    static func chrome(_ version: Int) -> String {
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/\(version).0.0.0 Safari/537.36"
    }

    var caller: Caller { Caller(address: address, requestID: "test", userAgent: agent) }
}

extension TestCore {
    /// An account with a password and no session, as after an import, and its first sign-in.
    func person(_ address: String = "ann@example.com", firstOn device: Device?) async throws -> String {
        let account = UUID()
        let hasher = PasswordHasher(
            parameters: Argon2Parameters(memoryKiB: 8, passes: 1, lanes: 1), threads: 1, queueLimit: 64)
        let hash = try await hasher.hash(Array(Self.password.utf8))
        try await change("insert into accounts (id) values (\(account))")
        try await change(
            """
            insert into account_emails (account_id, address_key, address, source, proved_at, is_main)
            values (\(account), \(address), \(address), 'person', now(), true)
            """)
        try await change("insert into passwords (account_id, hash) values (\(account), \(hash))")
        if let device { _ = try await signIn(address, on: device) }
        return address
    }

    func signIn(_ address: String, on device: Device, app: String = "app") async throws -> SignedIn {
        let request = SignInRequest(
            client: try #require(clients.client(app)),
            device: DeviceHint(name: device.name, token: device.token, session: device.session), caller: device.caller)
        return try await flows.begin(.password(name: address, password: Self.password), request).signedIn
    }

    /// Signs in on both devices, and lets neither sign-in judge its device before both sessions are made.
    func together(_ address: String, _ one: Device, _ other: Device) async throws {
        let holder = try Connection(database.configuration())
        try holder.executeScript("begin")
        _ = try holder.queryOne(
            """
            select pg_advisory_xact_lock(hashtextextended(account_id::text, 8)) from account_emails where address_key = \(address)
            """)
        async let first = signIn(address, on: one)
        async let second = signIn(address, on: other)
        try await poll {
            // Other tests wait for locks of their own databases in the same cluster.
            let waiting = try await count(
                """
                select count(*)::int from pg_locks where locktype = 'advisory' and not granted
                  and database = (select oid from pg_database where datname = current_database())
                """)
            return waiting == 2 ? () : nil
        }
        try holder.executeScript("commit")
        _ = try await (first, second)
    }

    /// The sessions that were reported to this account, by event and by mail.
    func newDevices(_ address: String) async throws -> [UUID] {
        try await database.pool.withConnection { connection in
            let account: UUID = try connection.row(
                "select account_id from account_emails where address_key = \(address)"
            ).value(0)
            let events: [UUID] = try connection.query(
                "select session_id from audit_events where account_id = \(account) and action = 'new_device' order by id"
            ).map { try $0.value(0) }
            let mails: [UUID] = try connection.query(
                "select (detail->>'session')::uuid from outbox where account_id = \(account) and kind = 'notice.new_device'"
            ).map { try $0.value(0) }
            #expect(Set(events) == Set(mails) && events.count == mails.count)
            return events
        }
    }
}
