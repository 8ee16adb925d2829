import CPostgres

/// A statement that one thread sends and another one reads the answer of; neither waits.
extension Connection {
    /// A sent statement with an unread answer.
    struct Presented {
        let statement: StatementCache.Entry
        /// The result so far.
        var answer: ResultHandle?
        var isWhole = false
    }

    /// A size of values that fits into the kernel's socket buffer, so that sending doesn't block.
    private static let presentable = 16_384

    /// Whether a statement is in flight.
    var isPresented: Bool { presented != nil }

    /// Sends a statement that is already prepared, without waiting.
    ///
    /// ``send(_:)`` of the same statement reads the answer.
    ///
    /// - Returns: false if nothing was sent: the statement is not prepared, or the connection isn't usable.
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
        /// A refusal, a lost connection, or nothing was presented.
        case trouble
    }

    /// Reads the available part of the answer to the presented statement, without waiting.
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
            // One call may leave data behind, and its arrival was already reported.
        } while SocketWatch.isReadable(handle.socket)
        return .incomplete
    }

    /// The first result is the statement's.
    ///
    /// A refusal after it is the commit's, and takes precedence.
    private func keep(_ result: OpaquePointer) {
        let handle = unsafe ResultHandle(result)
        if presented?.answer == nil || !handle.succeeded { presented?.answer = handle }
    }

    /// The answer to the presented statement; nil without one.
    ///
    /// Waits for the rest of the answer.
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
