extension Connection {
    /// Runs `body` in a transaction: commits when it returns, rolls back when it throws.
    ///
    /// A nested transaction is a savepoint. Errors of `body` are rethrown unchanged.
    @discardableResult
    package func transaction<Value>(_ body: (Connection) throws -> Value) throws -> Value {
        try begin()
        let value: Value
        do {
            value = try body(self)
            try checkInterruption()
        } catch {
            rollback()
            throw error
        }
        try commit()
        return value
    }

    private func begin() throws(PostgresError) {
        try checkInterruption()
        if transactionDepth == 0 {
            try sendText("begin", keepsNothing: true)
        } else {
            try sendText("savepoint p\(transactionDepth)")
        }
        transactionDepth += 1
    }

    /// A failed rollback is not reported, because the pool then closes the session.
    private func rollback() {
        transactionDepth -= 1
        guard !handle.isBroken else { return }
        let text = transactionDepth == 0 ? "rollback" : "rollback to savepoint p\(transactionDepth)"
        _ = try? sendText(text, keepsNothing: true)
    }

    private func commit() throws(PostgresError) {
        transactionDepth -= 1
        guard transactionDepth == 0 else {
            try sendText("release savepoint p\(transactionDepth)")
            return
        }
        // After a failed statement the server answers a commit with a rollback, and reports success.
        let failed = handle.hasFailedTransaction
        let result = try sendText("commit", keepsNothing: failed)
        guard result.commandTag == "COMMIT" else {
            throw .statement(.failedTransaction, constraint: nil, message: "")
        }
    }

    /// Resets the session for the next job.
    ///
    /// - Returns: false when the connection must be closed instead.
    func reset() -> Bool {
        // A job that was interrupted has left the answer unread.
        _ = takePresented()
        transactionDepth = 0
        interruption = nil
        tracing = nil
        mayHaveCommitted = false
        if handle.isBroken || isReadOnly || handle.hasUnreplicatedCommit { return false }
        if !handle.isInTransaction { return true }
        _ = try? sendText("rollback", keepsNothing: true)
        return !handle.isBroken && !handle.isInTransaction
    }
}
