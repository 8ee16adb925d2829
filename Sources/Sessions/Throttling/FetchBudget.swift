import Foundation
package import Logging
package import Postgres
package import Vocabulary

/// The budget of fetches that apps of strangers cause: their documents and their key sets.
package struct FetchBudget: Sendable {
    private let throttles: Throttles
    private let pool: ConnectionPool
    private let logger: Logger

    package init(throttles: Throttles, pool: ConnectionPool, logger: Logger) {
        (self.throttles, self.pool, self.logger) = (throttles, pool, logger)
    }

    /// Charges a fetch to the host of the address and to the caller's network.
    ///
    /// - Throws: `throttled`.
    package func charge(_ address: String, by caller: Caller) async throws(Rejection) {
        let price = throttles.fetch(host: URL(string: address)?.host() ?? "", address: caller.address)
        let wait: Int = try await rejecting(logger) {
            try await pool.withConnection { connection in
                try connection.queryOne("select take_from_throttles(\(price))").map { try $0.wholeSeconds(0) } ?? 0
            }
        }
        guard wait == 0 else { throw .throttled(retryAfter: wait) }
    }
}
