import CPostgres

/// One session with the server, used by the thread that owns it.
///
/// While the owner is idle, another thread may send one statement (``present(_:)``) and the reader may take the answer
/// (``takeArrival()``). Both hold ``sending``.
///
/// Every statement is prepared once and found by its text. Change settings in a transaction only (`set local`), because the
/// next job uses the same session.
package final class Connection {
    let handle: ConnectionHandle
    var statements = StatementCache(limit: 256)
    var transactionDepth = 0
    /// Held by a thread that sends a statement for the owner; the reader takes it before it reads.
    let sending = Monitor()
    var presented: Presented?

    /// Interrupts the running request.
    var interruption: Interruption?
    /// The request that keeps a span of each statement, while its trace is sampled.
    var tracing: StatementTracing?
    /// Whether losing the connection now leaves it unknown if a change was committed.
    var mayHaveCommitted = false
    /// The same, before the last statement was sent.
    private var hadCommitted = false
    /// Whether the server has refused a change because it is read-only: a standby, as after a fail-over.
    private(set) var isReadOnly = false
    /// Statements sent since the connection was opened, without those that prepare.
    private(set) var statementsSent = 0

    init(_ configuration: PostgresConfiguration) throws(ConnectFailure) {
        handle = try ConnectionHandle(configuration)
        // Without JIT: compiling takes longer than any statement here runs.
        let settings = """
            set statement_timeout = \(configuration.statementTimeout.millisecondsAtLeastOne);
            set idle_in_transaction_session_timeout = \(configuration.requestTimeout.millisecondsAtLeastOne + 2000);
            set timezone = 'UTC'; set client_min_messages = warning; set jit = off
            """
        do {
            _ = try sendText(settings)
        } catch {
            throw .setup(error.diagnostic)
        }
        mayHaveCommitted = false
    }

    /// Runs a statement and returns all its rows.
    package func query(_ sql: SQL) throws(PostgresError) -> [Row] {
        let result = try send(sql)
        return (0..<result.rowCount).map { Row(result: result, index: $0) }
    }

    /// Runs a statement and returns its first row, if any.
    package func queryOne(_ sql: SQL) throws(PostgresError) -> Row? {
        let result = try send(sql)
        return result.rowCount == 0 ? nil : Row(result: result, index: 0)
    }

    /// Runs a statement and returns the number of affected rows.
    @discardableResult
    package func execute(_ sql: SQL) throws(PostgresError) -> Int {
        try send(sql).rowsAffected
    }

    /// Runs several statements together, without parameters or preparation.
    package func executeScript(_ text: String) throws(PostgresError) {
        try checkInterruption()
        _ = try sendText(text)
    }

    func checkInterruption() throws(PostgresError) {
        if let error = interruption?.error { throw error }
    }

    /// Sends SQL unprepared and waits for the answer.
    ///
    /// - Parameter keepsNothing: whether the text cannot commit anything: `begin`, `rollback`.
    @discardableResult
    func sendText(_ text: String, keepsNothing: Bool = false) throws(PostgresError) -> ResultHandle {
        noteSending(keepsNothing: keepsNothing)
        return try traced(text.utf8) { () throws(PostgresError) in try unsafe checked(PQexec(handle.raw, text)) }
    }

    /// Wraps libpq's result, or throws the server's error.
    func checked(_ raw: OpaquePointer?) throws(PostgresError) -> ResultHandle {
        try checked(unsafe raw.map { unsafe ResultHandle($0) })
    }

    func checked(_ result: ResultHandle?) throws(PostgresError) -> ResultHandle {
        // No result: out of memory, or sending failed.
        guard let result else { throw lost() }
        // A fail-over may undo it, so the outcome is unknown.
        if handle.hasUnreplicatedCommit { throw .connectionLost(maybeCommitted: true) }
        if result.succeeded { return result }
        if handle.isBroken { throw lost() }
        // After a fail-over the next connection finds the new primary. This statement changed nothing.
        if result.state == .readOnlyTransaction {
            isReadOnly = true
            throw .connectionLost(maybeCommitted: hadCommitted)
        }
        throw result.failure
    }

    func noteSending(keepsNothing: Bool) {
        statementsSent += 1
        hadCommitted = mayHaveCommitted
        if transactionDepth == 0 && !keepsNothing { mayHaveCommitted = true }
    }

    func lost() -> PostgresError {
        .connectionLost(maybeCommitted: mayHaveCommitted)
    }
}
