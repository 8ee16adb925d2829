import Foundation
package import JSON
package import OperatorAccess
import Postgres

/// Finds accounts by an address, a number, a name or any id.
package struct AccountSearch: Sendable {
    private let desk: AdminDesk

    package init(desk: AdminDesk) {
        self.desk = desk
    }

    /// One page of results; `next` is the cursor of the following one, nil at the end.
    package struct Page: Sendable, Equatable {
        /// The lines of `operators/account_line.sql`, with `found`: the matched value.
        package let accounts: [JSON]
        package let next: SearchCursor?

        fileprivate var ids: [UUID] { accounts.compactMap { $0["id"]?.string.flatMap { UUID(uuidString: $0) } } }
    }

    /// Searches.
    ///
    /// - Parameters:
    ///   - typed: the search text; an empty one lists all accounts, newest first.
    ///   - after: the cursor of the page.
    ///   - limit: 1...100; a page for an access key may have fewer, because it lacks accounts out of its reach.
    package func page(_ typed: String, after: SearchCursor?, limit: Int, by actor: AdminActor) async throws -> Page {
        let term = SearchTerm(typed)
        let most = min(max(limit, 1), 100)
        return try await desk.view(.searchAccounts, actor, { [.search(found: $0.ids)] }) { connection in
            let (found, isWhole) = try Self.find(term, after, most + 1, connection)
            let hits = found.prefix(most)
            let reached = try AdminDesk.reached(hits.map(\.account), by: actor, connection)
            let lines = try Self.lines(hits.filter { reached.contains($0.account) }, connection)
            let last = found.count > most && !isWhole ? found[most - 1] : nil
            return Page(accounts: lines, next: last.map { SearchCursor(text: $0.text, account: $0.account) })
        }
    }

    private typealias Hit = (text: String, account: UUID)

    /// The results after a cursor, and whether no page can follow.
    private static func find(_ term: SearchTerm, _ after: SearchCursor?, _ limit: Int, _ connection: Connection)
        throws -> (hits: [Hit], isWhole: Bool)
    {
        switch term {
        case .all:
            let last = after?.account ?? UUID.last
            let accounts: SQL = "select '', id from accounts where id < \(last) order by id desc limit \(limit)"
            return (try hits(accounts, connection), false)
        case .prefix(let kind, let prefix):
            return (try hits(byPrefix(kind, prefix, after, limit), connection), false)
        case .exact(let text):
            // A subject may look like a name, but a name never looks like an id. Only results by name have pages.
            let exact: SQL = "select found, account_id from search_accounts_by_id(\(text)) limit \(limit)"
            let found = after == nil ? try hits(exact, connection) : []
            guard found.isEmpty else { return (found, true) }
            return (try hits(byPrefix(.name, text, after, limit), connection), false)
        }
    }

    private static func byPrefix(_ kind: SearchTerm.Kind, _ prefix: String, _ after: SearchCursor?, _ limit: Int) -> SQL
    {
        """
        select found, account_id
          from search_accounts_by_prefix(\(kind.rawValue), \(prefix), \(after?.text), \(after?.account), \(Int32(limit)))
        """
    }

    private static func hits(_ statement: SQL, _ connection: Connection) throws -> [Hit] {
        try connection.query(statement).map { (try $0.value(0), try $0.value(1)) }
    }

    /// In order of discovery, each account once.
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
    /// Greater than every id.
    static let last = UUID(
        uuid: (255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255))
}
