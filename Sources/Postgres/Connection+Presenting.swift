import CPostgres

/// A statement that one thread sends and another takes the answer of, neither of which waits.
extension Connection {
    /// A statement that was sent and whose answer nobody has taken yet.
    struct Presented {
        let statement: StatementCache.Entry
        /// What came of it so far.
        var answer: ResultHandle?
        var isWhole = false
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
        presented = Presented(statement: known)
        return true
    }

    enum Arrival {
        case incomplete
        /// Rows, or the number of them that were touched.
        case answer
        /// A refusal, the end of the connection, or nothing was presented.
        case trouble
    }

    /// Takes what has come of the answer to what was presented, and doesn't wait.
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
            // One call may leave something behind, and its arrival was told already.
        } while SocketWatch.isReadable(handle.socket)
        return .incomplete
    }

    /// The first result is the statement's; a refusal after it is the commit's, and counts more.
    private func keep(_ result: OpaquePointer) {
        let handle = unsafe ResultHandle(result)
        if presented?.answer == nil || !handle.succeeded { presented?.answer = handle }
    }

    /// The answer to what was presented; nil where nothing was.
    ///
    /// Waits for what hasn't come yet.
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
