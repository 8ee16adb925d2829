import Foundation
import Postgres

/// The statements that read the log by time and id, the order of its indexes.
///
/// They limit the time whenever possible, so that PostgreSQL skips other months.
enum AuditStatements {
    /// Rows before a cursor, newest first.
    ///
    /// - Parameter end: the last row of the range; nil for no end.
    static func page(_ filter: AuditFilter, before cursor: AuditCursor?, backTo end: AuditCursor? = nil, limit: Int)
        -> SQL
    {
        var sql = select("audit_events")
        bound(filter, before: cursor, &sql)
        if let end { bound(" and (e.at, e.id) >= (", end, &sql) }
        filter.append(to: &sql)
        return ended(&sql, "order by e.at desc, e.id desc", limit)
    }

    /// The last of the newest `piece` rows before a cursor; no row where there are fewer.
    static func end(_ filter: AuditFilter, before cursor: AuditCursor?, piece: Int) -> SQL {
        var sql = SQL.StringInterpolation(literalCapacity: 200, interpolationCount: 5)
        sql.appendLiteral("select e.at, e.id from audit_events e where true")
        bound(filter, before: cursor, &sql)
        sql.appendLiteral(" order by e.at desc, e.id desc limit 1 offset ")
        sql.appendInterpolation(piece - 1)
        return SQL(stringInterpolation: sql)
    }

    /// Rows after a cursor, oldest first.
    static func batch(_ filter: AuditFilter, after cursor: AuditCursor?, limit: Int) -> SQL {
        var sql = select("audit_events")
        bound(filter, before: nil, &sql)
        if let cursor { bound(" and (e.at, e.id) > (", cursor, &sql) }
        filter.append(to: &sql)
        return ended(&sql, "order by e.at, e.id", limit)
    }

    private static func select(_ table: String) -> SQL.StringInterpolation {
        var sql = SQL.StringInterpolation(literalCapacity: 1_000, interpolationCount: 16)
        sql.appendLiteral("select \(AuditEvent.columns) from \(table) e where true")
        return sql
    }

    private static func bound(
        _ filter: AuditFilter, before cursor: AuditCursor?, _ sql: inout SQL.StringInterpolation
    ) {
        if let from = filter.from {
            sql.appendLiteral(" and e.at >= ")
            sql.appendInterpolation(from)
        }
        if let to = filter.to {
            sql.appendLiteral(" and e.at < ")
            sql.appendInterpolation(to)
        }
        if let cursor {
            sql.appendLiteral(" and e.at <= ")
            sql.appendInterpolation(cursor.at)
            sql.appendLiteral(" and (e.at, e.id) < (")
            append(cursor, to: &sql)
        }
    }

    /// Adds a condition on rows from a place on; `condition` begins it.
    private static func bound(_ condition: String, _ cursor: AuditCursor, _ sql: inout SQL.StringInterpolation) {
        sql.appendLiteral(" and e.at >= ")
        sql.appendInterpolation(cursor.at)
        sql.appendLiteral(condition)
        append(cursor, to: &sql)
    }

    private static func append(_ cursor: AuditCursor, to sql: inout SQL.StringInterpolation) {
        sql.appendInterpolation(cursor.at)
        sql.appendLiteral(", ")
        sql.appendInterpolation(cursor.id)
        sql.appendLiteral(")")
    }

    private static func ended(_ sql: inout SQL.StringInterpolation, _ order: String, _ limit: Int) -> SQL {
        sql.appendLiteral(" \(order) limit ")
        sql.appendInterpolation(limit)
        return SQL(stringInterpolation: sql)
    }
}
