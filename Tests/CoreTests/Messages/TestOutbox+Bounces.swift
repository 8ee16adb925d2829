import Foundation
import Logging
import Postgres
import TestSupport

@testable import Messages
@testable import Vocabulary

extension TestOutbox {
    /// Reports a bounce of a message.
    func report(_ id: String, _ reason: String? = "550 no such user", medium: Medium = .email) async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        try await DeliveryReports(pool: database.pool, secret: nil, twilio: nil, logger: logger)
            .bounced(medium, id: id, reason: reason, caller: Caller(address: "192.0.2.1", requestID: "r-1"))
    }

    /// Two accounts with the mailbox, one proved and one not, one with another mailbox, and one with a number.
    func addAccounts() async throws {
        let accounts = (UUID(), UUID(), UUID())
        try await change("insert into accounts (id) values (\(accounts.0)), (\(accounts.1)), (\(accounts.2))")
        try await change(
            """
            insert into account_emails (account_id, address_key, address, source, proved_at)
            values (\(accounts.0), 'ann@example.com', 'ann@example.com', 'person', now()),
                   (\(accounts.1), 'ann@example.com', 'Ann@example.com', 'apple', null),
                   (\(accounts.2), 'bob@example.com', 'bob@example.com', 'person', now())
            """)
        try await change(
            """
            insert into account_phones (account_id, phone_key, source, proved_at)
            values (\(accounts.0), '+491701234567', 'person', now()), (\(accounts.2), '+491701234568', 'person', now())
            """)
    }

    func marked() async throws -> [String] {
        try await texts(
            "select address from account_emails where undeliverable_since is not null order by address collate \"C\"")
    }

    func texts(_ query: SQL) async throws -> [String] {
        try await database.pool.withConnection { try $0.query(query).map { try $0.value(0, as: String.self) } }
    }
}
