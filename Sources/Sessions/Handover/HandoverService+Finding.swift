package import Clients
package import Postgres
package import Vocabulary

/// Codes that no app sees.
extension HandoverService {
    /// Redeems the code that a statement of the same transaction finds and spends.
    ///
    /// - Parameters:
    ///   - asked: the resource that the access token is for, among those of all clients.
    ///   - find: returns the code's claim, or the refusal. The transaction commits in both cases.
    /// - Throws: the refusal; without a commit, as ``redeem(_:client:at:among:caller:)``.
    package func redeem(
        for asked: String?, among resources: ResourceCatalogue, client: Client, at dialect: TokenDialect,
        caller: Caller,
        finding find: @escaping @Sendable (Connection) throws -> Result<Claim, Rejection>
    ) async throws(Rejection) -> IssuedSession {
        try client.requireKey(caller.key, at: dialect)
        let resource = try resources.identifier(asked, by: client)
        let found = try await rejecting(logger) {
            try await pool.withConnection { connection in
                try connection.transaction { connection -> Result<(HandoverCode, Redemption), Rejection> in
                    let claim: Claim
                    switch try find(connection) {
                    case .failure(let refusal): return .failure(refusal)
                    case .success(let success): claim = success
                    }
                    guard let code = self.codes.parse(claim.code) else { return .failure(.handoverCodeInvalid) }
                    let redeemed = try self.redemption(
                        of: code, claim, client, at: dialect, for: resource, caller, connection)
                    return .success((code, redeemed))
                }
            }
        }
        let (code, redeemed) = try found.get()
        return try await issue(redeemed, by: code, client, at: dialect, for: resource, among: resources, caller)
    }
}
