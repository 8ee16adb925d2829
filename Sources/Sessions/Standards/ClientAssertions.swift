package import Clients
package import Foundation
package import Logging
package import Postgres
package import Vocabulary

/// Judges the assertions of clients, and spends each.
package struct ClientAssertions: Sendable {
    private let ledger: SpentTokens
    private let audiences: Set<String>
    private let now: @Sendable () -> Date

    /// - Parameter issuer: the public address. Older libraries name an endpoint instead (RFC 9126 §2).
    package init(pool: ConnectionPool, issuer: String, now: @escaping @Sendable () -> Date, logger: Logger) {
        (ledger, self.now) = (SpentTokens(pool: pool, logger: logger), now)
        audiences = [issuer, issuer + "/v1/token", issuer + "/v1/par"]
    }

    /// - Throws: `clientAuthenticationFailed` for each fault, and for an assertion that was used before.
    package func client(of text: String, among clients: ClientRegistry) async throws(Rejection) -> Client {
        let time = now()
        guard let assertion = ClientAssertion(text, for: audiences, at: time),
            let client = clients.client(assertion.client), let keys = client.openID.keys, assertion.isSigned(by: keys)
        else { throw .clientAuthenticationFailed }
        guard try await ledger.spend(assertion.digest, for: assertion.life(at: time)) else {
            throw .clientAuthenticationFailed
        }
        return client
    }
}
