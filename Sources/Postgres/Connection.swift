import CPostgres

/// One session with the server, used by the thread that owns it and by nobody else.
///
/// One exception: while the owner rests another thread may send one statement for it (``present(_:)``), and another take the
/// answer (``takeArrival()``), each holding ``sending``.
///
/// Every statement is prepared once and remembered by its text. Don't change the session's settings outside a transaction
/// (`set local` is fine): the next request gets the same session.
package final class Connection {
    let handle: ConnectionHandle
    let configuration: PostgresConfiguration
    var statements = StatementCache(limit: 256)
    var transactionDepth = 0
    /// Held by whoever sends a statement for the owner; the reader takes it before it reads.
    let sending = Monitor()
    var presented: Presented?

    /// Who may tell the running request to stop.
    var interruption: Interruption?
    /// Whether a loss of the connection now could come after something was kept.
    var mayHaveCommitted = false
    /// The same before the last statement was sent.
    private var hadCommitted = false
    /// Whether the server has refused a change because it takes none: a standby, such as a fail-over leaves behind.
    private(set) var isReadOnly = false
    /// Statements sent since the connection was opened, preparing not counted.
    private(set) var statementsSent = 0

    init(_ configuration: PostgresConfiguration) throws(ConnectFailure) {
        handle = try ConnectionHandle(configuration)
        self.configuration = configuration
        // PostgreSQL would compile what it takes for a long statement, which takes longer than any of ours runs.
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

    /// Runs a statement and gives all its rows.
    package func query(_ sql: SQL) throws(PostgresError) -> [Row] {
        let result = try send(sql)
        return (0..<result.rowCount).map { Row(result: result, index: $0) }
    }

    /// Runs a statement and gives its first row, if it has one.
    package func queryOne(_ sql: SQL) throws(PostgresError) -> Row? {
        let result = try send(sql)
        return result.rowCount == 0 ? nil : Row(result: result, index: 0)
    }

    /// Runs a statement and gives the number of rows it touched.
    @discardableResult
    package func execute(_ sql: SQL) throws(PostgresError) -> Int {
        try send(sql).rowsAffected
    }

    /// Runs several statements at once, without parameters and without preparing them.
    package func executeScript(_ text: String) throws(PostgresError) {
        try checkInterruption()
        _ = try sendText(text)
    }

    func checkInterruption() throws(PostgresError) {
        if let error = interruption?.error { throw error }
    }

    /// Sends text as it is and waits for the answer.
    ///
    /// - Parameter keepsNothing: the text by itself can't leave anything behind: `begin`, `rollback`.
    @discardableResult
    func sendText(_ text: String, keepsNothing: Bool = false) throws(PostgresError) -> ResultHandle {
        noteSending(keepsNothing: keepsNothing)
        return try unsafe checked(PQexec(handle.raw, text))
    }

    /// Makes a result of what libpq gave, or throws what the server said.
    func checked(_ raw: OpaquePointer?) throws(PostgresError) -> ResultHandle {
        try checked(unsafe raw.map { unsafe ResultHandle($0) })
    }

    func checked(_ result: ResultHandle?) throws(PostgresError) -> ResultHandle {
        // No result at all: out of memory, or nothing could be sent.
        guard let result else { throw lost() }
        // A fail-over could undo it: whether it stays, nobody knows.
        if handle.hasUnreplicatedCommit { throw .connectionLost(maybeCommitted: true) }
        if result.succeeded { return result }
        if handle.isBroken { throw lost() }
        // Another server may have its place by now: the next connection finds it. This statement changed nothing.
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
