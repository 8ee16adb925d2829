import Foundation
import Logging
import Postgres
import Vocabulary

/// The ledger of tokens that clients sign and may use once: assertions and key proofs.
struct SpentTokens: Sendable {
    let pool: ConnectionPool
    let logger: Logger

    /// Spends a token; false if it was spent before.
    ///
    /// - Parameters:
    ///   - digest: names the token.
    ///   - seconds: how long the ledger must keep it.
    func spend(_ digest: [UInt8], for seconds: Int) async throws(Rejection) -> Bool {
        try await rejecting(logger) {
            try await pool.execute(
                """
                insert into spent_codes (digest, expires_at)
                values (\(digest), now() + make_interval(secs => \(Int32(seconds))))
                on conflict (digest) do nothing
                """) > 0
        }
    }
}
