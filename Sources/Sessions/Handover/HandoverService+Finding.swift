package import Clients
package import Postgres
package import Vocabulary

/// Codes that no app sees.
extension HandoverService {
    /// Redeems the code that a statement of the same transaction finds and spends.
    ///
    /// - Parameter find: returns the code's claim, or the refusal. The transaction commits in both cases.
    /// - Throws: the refusal, and as ``redeem(_:client:at:caller:)``.
    package func redeem(
        client: Client, at dialect: TokenDialect, caller: Caller,
        finding find: @escaping @Sendable (Connection) throws -> Result<Claim, Rejection>
    ) async throws(Rejection) -> IssuedSession {
        let (codes, clientID) = (codes, client.id)
        let found = try await rejecting(logger) {
            try await pool.withConnection { connection in
                try connection.transaction { connection -> Result<(HandoverCode, Redemption), Rejection> in
                    let claim: Claim
                    switch try find(connection) {
                    case .failure(let refusal): return .failure(refusal)
                    case .success(let success): claim = success
                    }
                    guard let code = codes.parse(claim.code) else { return .failure(.handoverCodeInvalid) }
                    let redeemed = try Redemption.perform(
                        code, claim, client: clientID, at: dialect, for: nil, caller, connection)
                    return .success((code, redeemed))
                }
            }
        }
        let (code, redeemed) = try found.get()
        return try await issue(redeemed, by: code, client, at: dialect, caller)
    }
}
