package import Foundation
package import JSON
package import OperatorAccess
import Postgres

/// The data of one account for an operator, as `operators/account_dossier.sql` composes it, with the API's names.
package struct AccountRecords: Sendable {
    private let desk: AdminDesk

    package init(desk: AdminDesk) {
        self.desk = desk
    }

    /// The addresses, identities, factors, sessions, devices and changes of an account, with operators' names.
    ///
    /// - Parameter isAnswer: whether it answers a completed change, which must not be refused any more.
    package func dossier(_ account: UUID, isAnswer: Bool = false, by actor: AdminActor) async throws -> JSON {
        try await desk.view(.showAccount, actor, isCounted: !isAnswer, { _ in [.account(account)] }) { connection in
            let row = try connection.queryOne(
                "select (account_dossier(\(account)) || account_leaving(\(account)))::text")
            guard var dossier = try AdminDesk.document(row?.value(0)).object else { throw AdminRefusal.notFound }
            dossier["changes"] = .array(try AccountNames.naming(dossier["changes"]?.array ?? [], connection))
            return .object(dossier)
        }
    }

    /// Other accounts that may belong to the same user, with the reasons.
    package func suggestions(_ account: UUID, by actor: AdminActor) async throws -> JSON {
        try await desk.view(.showAccount, actor, { _ in [.account(account)] }) { connection in
            let list =
                try AdminDesk.document(
                    connection.queryOne("select account_suggestions(\(account))::text")?.value(0)
                ).array ?? []
            let reached = try AdminDesk.reached(list.compactMap(Self.id), by: actor, connection)
            return .array(list.filter { Self.id($0).map(reached.contains) ?? false })
        }
    }

    private static func id(_ line: JSON) -> UUID? { line["id"]?.string.flatMap { UUID(uuidString: $0) } }

    /// The events of an account and of accounts merged into it, newest first, before an event id.
    package func history(_ account: UUID, before: Int?, limit: Int, by actor: AdminActor) async throws -> JSON {
        let most = Int32(min(max(limit, 1), 200))
        let view = AdminDesk.View(action: "history_viewed", account: account)
        return try await desk.view(.showHistory, actor, { _ in [view] }) { connection in
            let row = try connection.queryOne("select account_history(\(account), \(before), \(most))::text")
            let events = try AdminDesk.document(row?.value(0)).array ?? []
            return .array(try AccountNames.naming(events, connection))
        }
    }

    /// The account of an id or of a proved address.
    package func account(named name: String, by actor: AdminActor) async throws -> UUID {
        try await desk.view(.searchAccounts, actor, { [.search(found: [$0])] }) { connection in
            let row = try connection.queryOne(
                """
                select id from accounts where id = \(UUID(uuidString: name))
                union
                select account_id from account_emails
                 where address_key = lower(\(name) collate "C") and proved_at is not null and not is_relay
                """)
            guard let row else { throw AdminRefusal.notFound }
            return try row.value(0)
        }
    }
}

extension AdminDesk.View {
    /// The data of an account.
    package static func account(_ account: UUID) -> Self { Self(action: "account_viewed", account: account) }

    /// The ids found by a search.
    ///
    /// The search text is never stored, because it may be a personal address.
    package static func search(found: [UUID]) -> Self {
        Self(
            action: "accounts_searched", shown: found,
            detail: ["found": .array(found.map { .string($0.uuidString.lowercased()) })])
    }
}
