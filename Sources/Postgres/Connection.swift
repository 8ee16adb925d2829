import CPostgres
import Synchronization

/// One session with the server, used by the thread that owns it and by nobody else.
///
/// One exception: while the owner rests another thread may send one statement for it (``present(_:)``), holding ``sending``.
///
/// Every statement is prepared once and remembered by its text. Don't change the session's settings outside a transaction
/// (`set local` is fine): the next request gets the same session.
package final class Connection {
    let handle: ConnectionHandle
    let configuration: PostgresConfiguration
    var statements = StatementCache(limit: 256)
    var transactionDepth = 0
    /// Held by whoever sends a statement for the owner, who takes it once before going on.
    let sending = Monitor()
    /// Whether somebody is about to send for the owner: a cancel request would come before what it is meant for.
    let isSending = Atomic(false)
    /// The statement that was sent and whose answer nobody has taken yet.
    private var presented: StatementCache.Entry?

    /// Who may tell the running request to stop.
    var interruption: Interruption?
    /// Whether a loss of the connection now could come after something was kept.
    var mayHaveCommitted = false
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

    /// Bytes of values that surely fit into what the kernel takes at once, so that sending doesn't block.
    private static let presentable = 16_384

    /// Whether a statement is on its way.
    var isPresented: Bool { presented != nil }

    /// Sends a statement that the server knows already, and doesn't wait: ``send(_:)`` of the same takes the answer.
    ///
    /// - Returns: false where nothing was sent: it would have to be prepared, or the connection isn't fit.
    func present(_ sql: SQL) -> Bool {
        guard sql.bytes.count <= Self.presentable, let known = statements.find(sql), !handle.isBroken,
            !SocketWatch.isReadable(handle.socket), transmit(known.name, sql)
        else { return false }
        noteSending(keepsNothing: false)
        presented = known
        return true
    }

    /// The answer to what was presented; nil where nothing was.
    func takePresented() -> (statement: StatementCache.Entry, answer: Result<ResultHandle, PostgresError>)? {
        guard let statement = presented else { return nil }
        presented = nil
        let first = unsafe PQgetResult(handle.raw)
        while let rest = unsafe PQgetResult(handle.raw) { unsafe PQclear(rest) }
        return (statement, Result { () throws(PostgresError) in try unsafe checked(first) })
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
        guard let raw = unsafe raw else {
            // No result at all: out of memory, or nothing could be sent.
            throw lost()
        }
        let result = unsafe ResultHandle(raw)
        if result.succeeded { return result }
        if handle.isBroken { throw lost() }
        throw result.failure
    }

    func noteSending(keepsNothing: Bool) {
        statementsSent += 1
        if transactionDepth == 0 && !keepsNothing { mayHaveCommitted = true }
    }

    func lost() -> PostgresError {
        .connectionLost(maybeCommitted: mayHaveCommitted)
    }
}
