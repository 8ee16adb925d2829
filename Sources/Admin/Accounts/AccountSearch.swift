import Foundation
package import JSON
import Postgres

/// Finding accounts by what somebody has in hand: an address, a number, a name, any id.
package struct AccountSearch: Sendable {
    private let desk: AdminDesk

    package init(desk: AdminDesk) {
        self.desk = desk
    }

    /// One page of what was found; `next` is where the following one begins, nil at the end.
    package struct Page: Sendable, Equatable {
        /// As `account_line` of `0024_dossiers.sql` has them, with `found`: what it was that matched.
        package let accounts: [JSON]
        package let next: SearchCursor?
    }

    /// Searches.
    ///
    /// - Parameters:
    ///   - typed: what the operator typed; nothing lists all accounts, the newest first.
    ///   - after: where the page before ended.
    ///   - limit: 1...100.
    package func page(_ typed: String, after: SearchCursor?, limit: Int, by actor: AdminActor) async throws -> Page {
        let term = SearchTerm(typed)
        let most = min(max(limit, 1), 100)
        return try await desk.look(.searchAccounts, actor) { connection in
            let found = try Self.find(term, after, Int32(most + 1), connection)
            let lines = try Self.lines(found.prefix(most), connection)
            let last = found.count > most ? found[most - 1] : nil
            return Page(accounts: lines, next: last.map { SearchCursor(text: $0.text, account: $0.account) })
        }
    }

    private typealias Hit = (text: String, account: UUID)

    private static func find(_ term: SearchTerm, _ after: SearchCursor?, _ limit: Int32, _ connection: Connection)
        throws -> [Hit]
    {
        let rows =
            switch term {
            case .all:
                try connection.query(
                    """
                    select '', id from accounts where id < \(after?.account ?? UUID.last) order by id desc limit \(limit)
                    """)
            case .prefix(let kind, let prefix):
                try connection.query(
                    """
                    select found, account_id
                      from search_accounts_by_prefix(\(kind.rawValue), \(prefix), \(after?.text), \(after?.account), \(limit))
                    """)
            case .exact(let text):
                try connection.query("select found, account_id from search_accounts_by_id(\(text)) limit \(limit)")
            }
        let hits: [Hit] = try rows.map { (try $0.value(0), try $0.value(1)) }
        // A subject may look like a name; a name never is an id.
        guard case .exact(let text) = term, hits.isEmpty, after == nil else { return hits }
        return try find(.prefix(.name, text), after, limit, connection)
    }

    /// In the order in which they were found, each account once.
    private static func lines(_ hits: some Collection<Hit>, _ connection: Connection) throws -> [JSON] {
        var seen: Set<UUID> = []
        let once = hits.filter { seen.insert($0.account).inserted }
        let accounts = once.map(\.account)
        let rows = try connection.query(
            """
            select account_line(id)::text from unnest(\(accounts)) with ordinality as found (id, place) order by place
            """)
        return try zip(rows, once).map { row, hit in
            var line = try JSON(parsing: try row.value(0, as: String.self), limits: .provider).object ?? [:]
            line["found"] = hit.text.isEmpty ? .null : .string(hit.text)
            return .object(line)
        }
    }
}

extension UUID {
    fileprivate static let last = UUID(
        uuid: (255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255))
}
