import CPostgres

/// Sends a statement on one thread and takes its answer on another, without blocking either.
extension Connection {
    /// A sent statement with an unread answer.
    struct Presented {
        let statement: StatementCache.Entry
        /// The result so far.
        var answer: ResultHandle?
        var isWhole = false
    }

    /// A size of values, in bytes, that fits into the kernel's send buffer, so that sending never blocks.
    private static let presentable = 16_384

    /// Whether a statement was sent and its answer not taken yet.
    var isPresented: Bool { presented != nil }

    /// Sends a prepared statement without waiting; ``send(_:)`` with the same statement takes the answer.
    ///
    /// - Returns: false if nothing was sent, because the statement is not prepared or the connection is not usable.
    func present(_ sql: SQL) -> Bool {
        guard sql.bytes.count <= Self.presentable, let known = statements.find(sql), !handle.isBroken,
            !SocketWatch.isReadable(handle.socket), transmit(known.name, sql)
        else { return false }
        noteSending(keepsNothing: false)
        presented = Presented(statement: known)
        return true
    }

    enum Arrival {
        case incomplete
        /// Rows, or the number of affected rows.
        case answer
        /// An error, the end of the connection, or no statement was sent.
        case trouble
    }

    /// Reads the available part of the answer without waiting.
    func takeArrival() -> Arrival {
        guard presented != nil else { return .trouble }
        repeat {
            guard unsafe PQconsumeInput(handle.raw) == 1 else { return .trouble }
            while unsafe PQisBusy(handle.raw) == 0 {
                guard let result = unsafe PQgetResult(handle.raw) else {
                    presented?.isWhole = true
                    return presented?.answer?.succeeded == true ? .answer : .trouble
                }
                unsafe keep(result)
            }
            // One call may leave data unread, for which epoll reports no second event.
        } while SocketWatch.isReadable(handle.socket)
        return .incomplete
    }

    /// Keeps the statement's result, or a later error, which is that of its commit.
    private func keep(_ result: OpaquePointer) {
        let handle = unsafe ResultHandle(result)
        if presented?.answer == nil || !handle.succeeded { presented?.answer = handle }
    }

    /// The answer to the sent statement; nil if none was sent.
    ///
    /// It waits for the rest of the answer.
    func takePresented() -> (statement: StatementCache.Entry, answer: Result<ResultHandle, PostgresError>)? {
        guard presented != nil else { return nil }
        if presented?.isWhole == false {
            while let result = unsafe PQgetResult(handle.raw) { unsafe keep(result) }
        }
        defer { presented = nil }
        return presented.map { taken in
            (taken.statement, Result { () throws(PostgresError) in try checked(taken.answer) })
        }
    }
}
