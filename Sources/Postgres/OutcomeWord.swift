/// The outcomes that functions of the database return.
///
/// Each function's file lists its outcomes in one line (`-- Outcomes:`), and a test compares every line with the enums
/// that map it. A function without shared refusals has one such enum; the others share a second one.
package protocol OutcomeWord: SQLArrayElement, RawRepresentable, CaseIterable, Equatable where RawValue == String {
    /// The functions with these outcomes; each returns all of them.
    static var functions: [String] { get }
}

package extension OutcomeWord {
    static var arrayTypeOID: UInt32 { String.arrayTypeOID }
}

/// The result of a function: its own outcome, or a shared refusal.
package enum Outcome<Own: OutcomeWord, Refusal: OutcomeWord>: Sendable {
    case own(Own)
    case refused(Refusal)
}

package extension Row {
    /// Reads the outcome of a function.
    ///
    /// - Throws: ``PostgresError/decoding(column:)`` for a word missing in both enums, and for null.
    func outcome<Own, Refusal>(
        _ column: Int = 0, _ own: Own.Type = Own.self, _ refusals: Refusal.Type = Refusal.self
    ) throws(PostgresError) -> Outcome<Own, Refusal> {
        if let refusal = Refusal(rawValue: try value(column, as: String.self)), Own(rawValue: refusal.rawValue) == nil {
            return .refused(refusal)
        }
        return .own(try value(column, as: Own.self))
    }

    /// Reads the outcome of a function that may return null.
    ///
    /// - Throws: ``PostgresError/decoding(column:)`` for a word missing in both enums.
    func optionalOutcome<Own, Refusal>(
        _ column: Int = 0, _ own: Own.Type = Own.self, _ refusals: Refusal.Type = Refusal.self
    ) throws(PostgresError) -> Outcome<Own, Refusal>? {
        guard try value(column, as: String?.self) != nil else { return nil }
        return try outcome(column, own, refusals)
    }
}

package extension Connection {
    /// Runs a statement that returns one row.
    ///
    /// - Throws: ``PostgresError/decoding(column:)`` without a row.
    func row(_ sql: SQL) throws(PostgresError) -> Row {
        guard let row = try queryOne(sql) else { throw .decoding(column: "#0") }
        return row
    }
}
