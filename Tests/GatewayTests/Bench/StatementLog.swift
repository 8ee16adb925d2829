import Foundation
import Postgres
import TestSupport
import Testing

/// A prepared statement that a private PostgreSQL server ran.
struct SentStatement: Sendable {
    let backend: Int
    let text: String
    /// The log's line with its values; empty without any.
    fileprivate let detail: String

    /// Its values as SQL literals, the first for `$1`.
    var values: [String] {
        detail.matches(of: /\$[0-9]+ = (NULL|'(?:[^']|'')*')/).map { $0.1 == "NULL" ? "null" : String($0.1) }
    }

    /// Two texts of one statement may differ in their line breaks.
    var shape: String { Self.shape(text) }

    static func shape(_ text: String) -> String { text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}

/// The log of a private PostgreSQL server, with every statement.
struct StatementLog: Sendable {
    private let cluster: PrivateCluster

    init(_ cluster: PrivateCluster) { self.cluster = cluster }

    /// Makes the server log; before the gateway connects.
    static func begin(_ cluster: PrivateCluster) async throws {
        try await onServer(cluster.url) { connection in
            try connection.executeScript("alter system set log_statement = 'all'")
            try connection.executeScript("alter system set log_line_prefix = '%p '")
            try connection.executeScript("select pg_reload_conf()")
        }
        let logged = "select count(*) from pg_settings where name = 'log_statement' and setting = 'all'"
        try await poll { try await cluster.count(SQL(unsafeSQL: logged)) == 1 ? () : nil }
    }

    var length: Int { get throws { try bytes().count } }

    /// The statements after a length of the log, oldest first.
    func statements(after start: Int) throws -> [SentStatement] {
        var entries: [String] = []
        for line in String(decoding: try bytes().dropFirst(start), as: UTF8.self).split(separator: "\n") {
            if line.hasPrefix("\t"), let last = entries.indices.last {
                entries[last] += "\n" + line.dropFirst()
            } else {
                entries.append(String(line))
            }
        }
        return zip(entries, entries.dropFirst() + [""]).compactMap { Self.statement($0, next: $1) }
    }

    private func bytes() throws -> Data { try Data(contentsOf: URL(filePath: "\(cluster.folder)/log")) }

    /// Reads `17 LOG:  execute s5: select …`; the line after it has the values, if there are any.
    private static func statement(_ entry: String, next: String) -> SentStatement? {
        let (backend, mark) = (entry.prefix { $0.isNumber }, " LOG:  execute ")
        let rest = entry.dropFirst(backend.count)
        guard let process = Int(backend), rest.hasPrefix(mark),
            let name = rest.dropFirst(mark.count).firstIndex(of: ":")
        else { return nil }
        return SentStatement(
            backend: process, text: String(rest[name...].dropFirst(2)),
            detail: next.hasPrefix("\(backend) DETAIL:  ") ? next : "")
    }
}
