package import Clients
package import Foundation
package import Logging
package import Postgres
package import Vocabulary

/// Judges the assertions of clients, and spends each.
package struct ClientAssertions: Sendable {
    private let pool: ConnectionPool
    private let audiences: Set<String>
    private let now: @Sendable () -> Date
    private let logger: Logger

    /// - Parameter issuer: the public address. Older libraries name an endpoint instead (RFC 9126 §2).
    package init(pool: ConnectionPool, issuer: String, now: @escaping @Sendable () -> Date, logger: Logger) {
        (self.pool, self.now, self.logger) = (pool, now, logger)
        audiences = [issuer, issuer + "/v1/token", issuer + "/v1/par"]
    }

    /// - Throws: `clientAuthenticationFailed` for each fault, and for an assertion that was used before.
    package func client(of text: String, among clients: ClientRegistry) async throws(Rejection) -> Client {
        let time = now()
        guard let assertion = ClientAssertion(text, for: audiences, at: time),
            let client = clients.client(assertion.client), let keys = client.openID.keys, assertion.isSigned(by: keys)
        else { throw .clientAuthenticationFailed }
        let isFirst = try await rejecting(logger) {
            try await pool.withConnection { connection in
                try connection.execute(
                    """
                    insert into spent_codes (digest, expires_at)
                    values (\(assertion.digest), now() + make_interval(secs => \(Int32(assertion.life(at: time)))))
                    on conflict (digest) do nothing
                    """) > 0
            }
        }
        guard isFirst else { throw .clientAuthenticationFailed }
        return client
    }
}
