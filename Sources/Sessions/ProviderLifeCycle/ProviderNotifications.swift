package import Accounts
package import Foundation
package import JSON
package import Logging
import Metrics
package import Postgres
package import Providers

/// Takes the word of providers for what happened to people there.
///
/// Nobody is told whether somebody was known: the same notification is good any number of times, and takes effect once.
package struct ProviderNotifications: Sendable {
    private let providers: ProviderRegistry
    private let throttles: Throttles
    private let pool: ConnectionPool
    /// The ways in that people could use today.
    private let waysIn: [String]
    private let logger: Logger
    private let now: @Sendable () -> Date

    package init(
        providers: ProviderRegistry, throttles: Throttles, pool: ConnectionPool, waysIn: [String], logger: Logger,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        (self.providers, self.throttles, self.pool) = (providers, throttles, pool)
        (self.waysIn, self.logger, self.now) = (waysIn, logger, now)
    }

    /// The longest body that is read, in bytes.
    package static let longestBody = 16 * 1024

    /// The providers that call us.
    package var senders: [String] { providers.all((any SendsNotifications).self).map(\.id.rawValue) }

    /// Checks a notification and lets it take effect.
    ///
    /// - Throws: ``Rejection``: nothing happened. What the provider may try again is 503; what it can't mend, 400 or 401.
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

    /// Everything that a notification tells, in one transaction; whoever told the truth gets back what it paid.
    private func apply(
        _ notification: ProviderNotification, of sender: String, returning price: [Throttle], _ caller: Caller
    ) async throws(Rejection) -> [NotificationWord] {
        let events = JSONText(JSON.array(notification.events.map(\.json)).text)
        return try await rejecting(logger) {
            try await pool.withConnection { connection in
                try connection.row(
                    """
                    select apply_provider_notification(
                               \(sender), \(notification.realm), \(notification.id), \(events), \(waysIn), \(caller.address),
                               \(caller.requestID)),
                           give_back_to_throttles(\(price.map(\.bucket)), \(price.map(\.periodMilliseconds)))
                    """
                ).value(0)
            }
        }
    }
}

extension ProviderNotification.Event {
    /// For `apply_provider_notification`.
    fileprivate var json: JSON {
        var object: JSONObject = [
            "kind": .string(kind.rawValue), "subject": .string(subject), "at": .double(at.timeIntervalSince1970),
        ]
        object["email"] = email.map(JSON.string)
        return .object(object)
    }
}

/// What became of one event of a notification (`apply_provider_notification`).
enum NotificationWord: String, OutcomeWord {
    static let functions = ["apply_provider_notification"]

    case applied, stale, repeated
    case unknownSubject = "unknown_subject"
    case unknownType = "unknown_type"
}
