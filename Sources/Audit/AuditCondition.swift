import Cryptography
import Foundation
import JSON
import Postgres

/// A condition on one column of an audit event, for SQL and for an event in memory.
struct AuditCondition {
    enum Value {
        case text(String?)
        case id(UUID?)
    }

    /// The name in the API.
    let name: String
    private let column: String
    private let wanted: Value
    private let found: (AuditEvent) -> Value

    /// - Parameter wanted: the required value; nil for no condition.
    init(_ name: String, _ column: String, _ wanted: Value, found: @escaping (AuditEvent) -> Value) {
        (self.name, self.column, self.wanted, self.found) = (name, column, wanted, found)
    }

    func fits(_ event: AuditEvent) -> Bool {
        switch (wanted, found(event)) {
        case (.text(nil), _), (.id(nil), _): true
        case (.text(let wanted?), .text(let found?)): found.hasSameBytes(as: wanted)
        case (.id(let wanted?), .id(let found?)): found == wanted
        case (.text, _), (.id, _): false
        }
    }

    /// The required value; nil without a condition.
    var json: JSON? {
        switch wanted {
        case .text(let text): text.map(JSON.string)
        case .id(let id): id.map { .string($0.text) }
        }
    }

    /// Appends `and …` if there is a condition.
    func append(to sql: inout SQL.StringInterpolation) {
        switch wanted {
        case .text(let text?): add(text, to: &sql)
        case .id(let id?): add(id, to: &sql)
        case .text(nil), .id(nil): break
        }
    }

    private func add(_ value: some SQLValue, to sql: inout SQL.StringInterpolation) {
        sql.appendLiteral(" and e.\(column) = ")
        sql.appendInterpolation(value)
    }
}
