import Foundation
import Logging
import Postgres
import Sessions
import Vocabulary

/// The budget of fetches that strangers cause: by the document's host, and by network.
struct DocumentBudget: Sendable {
    let pool: ConnectionPool
    let throttles: Throttles
    let logger: Logger

    /// - Throws: `throttled`.
    func charge(_ address: String, _ caller: Caller) async throws(Rejection) {
        let price = throttles.clientDocument(host: URL(string: address)?.host() ?? "", address: caller.address)
        let wait: Int = try await rejecting(logger) {
            try await pool.withConnection { connection in
                try connection.queryOne("select take_from_throttles(\(price))").map { try $0.wholeSeconds(0) } ?? 0
            }
        }
        guard wait == 0 else { throw .throttled(retryAfter: wait) }
    }
}
