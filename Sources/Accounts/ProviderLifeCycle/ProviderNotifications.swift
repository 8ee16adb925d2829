package import Foundation
package import JSON
package import Logging
import Metrics
package import Postgres
package import Providers
package import Sessions
package import Vocabulary

/// Applies the notifications of providers about their users.
///
/// The answer does not reveal whether a user is known. A notification is idempotent.
package struct ProviderNotifications: Sendable {
    private let providers: ProviderRegistry
    private let throttles: Throttles
    private let pool: ConnectionPool
    /// The usable sign-in methods.
    private let signInMethods: [String]
    private let logger: Logger
    private let now: @Sendable () -> Date

    package init(
        providers: ProviderRegistry, throttles: Throttles, pool: ConnectionPool, signInMethods: [String],
        logger: Logger,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        (self.providers, self.throttles, self.pool) = (providers, throttles, pool)
        (self.signInMethods, self.logger, self.now) = (signInMethods, logger, now)
    }

    /// The maximum body length, in bytes.
    package static let longestBody = 16 * 1024

    /// The providers that send notifications.
    package var senders: [String] { providers.all((any SendsNotifications).self).map(\.id.rawValue) }

    /// Verifies a notification and applies it.
    ///
    /// - Throws: ``Rejection`` if nothing was applied: 503 if the provider may retry, 400 or 401 otherwise.
    package func take(_ body: JSONObject, from sender: String, caller: Caller) async throws(Rejection) {
        guard let id = ProviderID(rawValue: sender), let provider = providers[id] as? any SendsNotifications else {
            throw .notFound
        }
        let price = throttles.notification(address: caller.address)
        try await pay(price)
        let notification: ProviderNotification
        do throws(ProviderError) {
            notification = try await provider.notification(body, at: now())
        } catch {
            throw Rejection(error)
        }
        let outcomes = try await apply(notification, of: sender, returning: price, caller)
        for outcome in outcomes {
            Counter(
                label: "provider_notifications_total",
                dimensions: [("provider", sender), ("outcome", outcome.rawValue)]
            ).increment()
        }
    }

    private func pay(_ price: [Throttle]) async throws(Rejection) {
        let wait: Double = try await rejecting(logger) {
            try await pool.withConnection { connection in
                try connection.queryOne("select take_from_throttles(\(price))").map { try $0.value(0) } ?? 0
            }
        }
        guard wait <= 0 else { throw .throttled(retryAfter: Int(wait.rounded(.up))) }
    }

    /// Applies all events of a notification in one transaction; a genuine one gets a refund.
    private func apply(
        _ notification: ProviderNotification, of sender: String, returning price: [Throttle], _ caller: Caller
    ) async throws(Rejection) -> [NotificationWord] {
        let events = JSONText(JSON.array(notification.events.map(\.json)).text)
        return try await rejecting(logger) {
            try await pool.withConnection { connection in
                try connection.row(
                    """
                    select apply_provider_notification(
                               \(sender), \(notification.realm), \(notification.id), \(events), \(signInMethods), \(caller.address),
                               \(caller.requestID)),
                           give_back_to_throttles(\(price.map(\.bucket)), \(price.map(\.periodMilliseconds)))
                    """
                ).value(0)
            }
        }
    }
}

extension ProviderNotification.Event {
    /// The form for `apply_provider_notification`.
    fileprivate var json: JSON {
        var object: JSONObject = [
            "kind": .string(kind.rawValue), "subject": .string(subject), "at": .double(at.timeIntervalSince1970),
        ]
        object["email"] = email.map(JSON.string)
        return .object(object)
    }
}

/// The outcome of one event (`apply_provider_notification`).
enum NotificationWord: String, OutcomeWord {
    static let functions = ["apply_provider_notification"]

    case applied, stale, repeated
    case unknownSubject = "unknown_subject"
    case unknownType = "unknown_type"
}
