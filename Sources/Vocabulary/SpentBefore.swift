import Postgres

extension PostgresError {
    /// Whether the key of a ledger refused the statement: a credential, nonce or state was spent before (`sign_in/spend.sql`).
    var isOfSpentThing: Bool {
        guard case .statement(.uniqueViolation, let constraint?, _) = self else { return false }
        return constraint == "spent_pkey" || constraint == "spent_codes_pkey"
    }
}

extension ConnectionPool {
    /// Runs statements that spend these things.
    ///
    /// - Parameter refused: the answer where one of them was spent before. Then the statements changed nothing.
    package func spending<Value: Sendable>(
        _ spending: [Spending], refused: (Rejection) -> Value, _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch let error as PostgresError where error.isOfSpentThing {
            let position = try await queryOne("select spent_position(\(spending))") { row in
                try row?.value(0, as: Int32?.self).map(Int.init)
            }
            return refused(Rejection(spent: spending.kind(at: position)))
        }
    }
}
