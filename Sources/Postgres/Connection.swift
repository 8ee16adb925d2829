import CPostgres

/// One session with the server, used only by the thread that owns it.
///
/// One exception: while the owner is idle, another thread may send one statement for it (``present(_:)``), and another
/// one may read the answer (``takeArrival()``), each holding ``sending``.
///
/// Every statement is prepared once and cached by its text. Don't change session settings outside a transaction (`set
/// local` is fine): the next request uses the same session.
package final class Connection {
    let handle: ConnectionHandle
    let configuration: PostgresConfiguration
    var statements = StatementCache(limit: 256)
    var transactionDepth = 0
    /// Held by a thread that sends a statement for the owner; the reader takes it before it reads.
    let sending = Monitor()
    var presented: Presented?

    /// Interrupts the running request.
    var interruption: Interruption?
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
        self.configuration = configuration
        // JIT compilation takes longer than any of our statements runs.
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

    /// Runs several statements at once, without parameters or preparing.
    package func executeScript(_ text: String) throws(PostgresError) {
        try checkInterruption()
        _ = try sendText(text)
    }

    func checkInterruption() throws(PostgresError) {
        if let error = interruption?.error { throw error }
    }

    /// Sends text unchanged and waits for the answer.
    ///
    /// - Parameter keepsNothing: whether the text alone can't change data: `begin`, `rollback`.
    @discardableResult
    func sendText(_ text: String, keepsNothing: Bool = false) throws(PostgresError) -> ResultHandle {
        noteSending(keepsNothing: keepsNothing)
        return try unsafe checked(PQexec(handle.raw, text))
    }

    /// Converts libpq's result, or throws the server's error.
    func checked(_ raw: OpaquePointer?) throws(PostgresError) -> ResultHandle {
        try checked(unsafe raw.map { unsafe ResultHandle($0) })
    }

    func checked(_ result: ResultHandle?) throws(PostgresError) -> ResultHandle {
        // No result at all: out of memory, or sending failed.
        guard let result else { throw lost() }
        // A fail-over could undo the commit, so its outcome is unknown.
        if handle.hasUnreplicatedCommit { throw .connectionLost(maybeCommitted: true) }
        if result.succeeded { return result }
        if handle.isBroken { throw lost() }
        // Another server may be the primary now; the next connection finds it. This statement changed nothing.
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
