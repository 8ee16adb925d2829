/// PostgreSQL's five-character error code.
package struct SQLState: RawRepresentable, Sendable, Hashable {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The class: the first two characters, such as `23` for violated constraints.
    package var family: Substring { rawValue.prefix(2) }
}

package extension SQLState {
    static let foreignKeyViolation = SQLState(rawValue: "23503")
    static let uniqueViolation = SQLState(rawValue: "23505")
    static let checkViolation = SQLState(rawValue: "23514")
    static let serializationFailure = SQLState(rawValue: "40001")
    static let deadlockDetected = SQLState(rawValue: "40P01")
    static let failedTransaction = SQLState(rawValue: "25P02")
    static let readOnlyTransaction = SQLState(rawValue: "25006")
    static let invalidAuthorization = SQLState(rawValue: "28000")
    static let invalidPassword = SQLState(rawValue: "28P01")
    static let undefinedDatabase = SQLState(rawValue: "3D000")
    static let cannotConnectNow = SQLState(rawValue: "57P03")
    static let insufficientPrivilege = SQLState(rawValue: "42501")
    static let undefinedTable = SQLState(rawValue: "42P01")
    static let undefinedFunction = SQLState(rawValue: "42883")
    static let lockNotAvailable = SQLState(rawValue: "55P03")
    static let queryCancelled = SQLState(rawValue: "57014")
    static let tooManyConnections = SQLState(rawValue: "53300")
    /// The code of `raise exception` without an explicit one.
    static let raisedException = SQLState(rawValue: "P0001")

    /// The result type of a prepared statement changed, so it has to be prepared again.
    internal static let featureNotSupported = SQLState(rawValue: "0A000")
    /// The server no longer knows a prepared statement.
    internal static let unknownStatement = SQLState(rawValue: "26000")
    /// The server gave no code.
    internal static let none = SQLState(rawValue: "")
}
