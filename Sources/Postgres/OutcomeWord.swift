/// The words with which functions of the database say what they did.
///
/// Each function's file lists its words in one line (`-- Outcomes:`), and a test compares every line with the enums that
/// map it. A function with an empty list of refusals has one such enum; the others share a second one.
package protocol OutcomeWord: SQLArrayElement, RawRepresentable, CaseIterable, Equatable where RawValue == String {
    /// The functions of the database whose words these are, each with all of them.
    static var functions: [String] { get }
}

package extension OutcomeWord {
    static var arrayTypeOID: UInt32 { String.arrayTypeOID }
}

/// What a function answered: a word of its own, or a refusal that it shares with others.
package enum Outcome<Own: OutcomeWord, Refusal: OutcomeWord>: Sendable {
    case own(Own)
    case refused(Refusal)
}

package extension Row {
    /// Reads the outcome of a function.
    ///
    /// - Throws: ``PostgresError/decoding(column:)`` for a word that neither enum knows, and for null.
    func outcome<Own, Refusal>(
        _ column: Int = 0, _ own: Own.Type = Own.self, _ refusals: Refusal.Type = Refusal.self
    ) throws(PostgresError) -> Outcome<Own, Refusal> {
        if let refusal = Refusal(rawValue: try value(column, as: String.self)), Own(rawValue: refusal.rawValue) == nil {
            return .refused(refusal)
        }
        return .own(try value(column, as: Own.self))
    }

    /// Reads the outcome of a function that answers null where nothing is to be said.
    ///
    /// - Throws: ``PostgresError/decoding(column:)`` for a word that neither enum knows.
    func optionalOutcome<Own, Refusal>(
        _ column: Int = 0, _ own: Own.Type = Own.self, _ refusals: Refusal.Type = Refusal.self
    ) throws(PostgresError) -> Outcome<Own, Refusal>? {
        guard try value(column, as: String?.self) != nil else { return nil }
        return try outcome(column, own, refusals)
    }
}

package extension Connection {
    /// Runs a statement that answers with one row.
    ///
    /// - Throws: ``PostgresError/decoding(column:)`` where there is none.
    func row(_ sql: SQL) throws(PostgresError) -> Row {
        guard let row = try queryOne(sql) else { throw .decoding(column: "#0") }
        return row
    }
}
