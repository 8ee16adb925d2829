package import Clients
package import Foundation
package import Logging
package import Postgres
package import Vocabulary

/// Judges the assertions of clients, and spends each.
package struct ClientAssertions: Sendable {
    private let ledger: SpentTokens
    private let keySets: ClientKeySets
    private let audiences: Set<String>
    private let now: @Sendable () -> Date

    /// - Parameter issuer: the public address. Older libraries name an endpoint instead (RFC 9126 §2).
    package init(
        pool: ConnectionPool, keySets: ClientKeySets, issuer: String, now: @escaping @Sendable () -> Date,
        logger: Logger
    ) {
        (ledger, self.keySets, self.now) = (SpentTokens(pool: pool, logger: logger), keySets, now)
        audiences = [issuer, issuer + "/v1/token", issuer + "/v1/par"]
    }

    /// - Throws: `clientAuthenticationFailed` for each fault, and for an assertion that was used before;
    ///   `providerUnavailable` and `throttled` if the client's keys can't be fetched now.
    package func client(
        of text: String, among clients: ClientRegistry, caller: Caller
    ) async throws(Rejection) -> Client {
        let time = now()
        guard let assertion = ClientAssertion(text, for: audiences, at: time),
            let client = clients.client(assertion.client),
            let key = try await keySets.key(of: assertion, by: client, caller), assertion.isSigned(by: key)
        else { throw .clientAuthenticationFailed }
        guard try await ledger.spend(assertion.digest, for: assertion.life(at: time)) else {
            throw .clientAuthenticationFailed
        }
        return client
    }
}
