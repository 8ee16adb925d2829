package import Cryptography
import Foundation
package import Logging
import Metrics
package import Postgres
import Providers
package import Vocabulary

/// Processes reports of failed deliveries.
///
/// The answer does not reveal whether a message is known. A report is idempotent.
package struct DeliveryReports: Sendable {
    private let pool: ConnectionPool
    /// The key that signs reports; nil if reports are off.
    let secret: Secret?
    /// Nil if Twilio is not used, or can't call us.
    let twilio: TwilioCallback?
    private let logger: Logger

    /// In Unicode scalars; a reason is for human readers, and is kept as long as its message.
    private static let longestReason = 200

    package init(pool: ConnectionPool, secret: Secret?, twilio: TwilioCallback?, logger: Logger) {
        (self.pool, self.secret, self.twilio, self.logger) = (pool, secret, twilio, logger)
    }

    package var areTaken: Bool { secret != nil }
    package var areTakenFromTwilio: Bool { twilio != nil }

    /// - Parameters:
    ///   - id: our id of the message, its Message-ID, or the delivery service's id.
    ///   - reason: free text.
    package func bounced(_ medium: Medium, id: String, reason: String?, caller: Caller) async throws(Rejection) {
        let name = Self.name(id)
        let ours = name.split(separator: "@").first.flatMap { UUID(uuidString: String($0)) }
        let words = reason.flatMap { DisplayName.clean($0, limit: Self.longestReason) }
        let isNews: Bool = try await rejecting(logger) {
            try await pool.withConnection { connection in
                try connection.queryOne(
                    """
                    select record_bounce(\(medium.rawValue), \(ours), \(name), \(words), \(caller.address), \(caller.requestID))
                    """
                )?.value(0) ?? false
            }
        }
        guard isNews else { return }
        Counter(label: "messages_total", dimensions: [("medium", medium.rawValue), ("outcome", "bounced")]).increment()
    }

    /// A Message-ID without its angle brackets.
    private static func name(_ id: String) -> String {
        id.hasPrefix("<") && id.hasSuffix(">") ? String(id.dropFirst().dropLast()) : id
    }
}
