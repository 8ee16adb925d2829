extension Connection {
    /// Runs `body` in a transaction: committed when it returns, rolled back when it throws.
    ///
    /// A nested transaction is a savepoint. An error of `body` is rethrown.
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

    /// A failed rollback leaves a session that the pool closes, so there is nothing to report.
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
        // The server answers the commit of a failed transaction by rolling back, and reports success.
        let failed = handle.hasFailedTransaction
        let result = try sendText("commit", keepsNothing: failed)
        guard result.commandTag == "COMMIT" else {
            throw .statement(.failedTransaction, constraint: nil, message: "")
        }
    }

    /// Resets the session for the next request.
    ///
    /// - Returns: false when the connection must be closed instead.
    func reset() -> Bool {
        // An interrupted request may have left an unread answer.
        _ = takePresented()
        transactionDepth = 0
        interruption = nil
        mayHaveCommitted = false
        if handle.isBroken || isReadOnly || handle.hasUnreplicatedCommit { return false }
        if !handle.isInTransaction { return true }
        _ = try? sendText("rollback", keepsNothing: true)
        return !handle.isBroken && !handle.isInTransaction
    }
}
