import Foundation
import Logging
import Metrics
import Outbound

/// Sends one claimed message and records the result.
struct Dispatcher: Sendable {
    let courier: any Courier
    let store: OutboxStore
    let logger: Logger
    /// A number from 0 to 1 for the jitter.
    var chance: @Sendable () -> Double = { Double.random(in: 0...1) }

    private static let mostSettlings = 5

    func dispatch(_ message: ClaimedMessage) async -> Attempt? {
        // Another server may have claimed it by now.
        guard message.isStillOurs(at: .now) else { return nil }
        let attempt = await attempt(message)
        count(attempt, message)
        let retry = Self.pause(afterTries: message.tries, chance: chance())
        for settling in 1...Self.mostSettlings {
            if await store.settle(message.id, tries: message.tries, attempt, retry: retry) { break }
            if settling < Self.mostSettlings { try? await Task.sleep(for: .seconds(1)) }
        }
        return attempt
    }

    /// Seconds until the next attempt: 5 at first, doubled each time, at most a quarter of an hour.
    ///
    /// Jitter shortens them by up to a half, so that simultaneous failures do not retry together.
    static func pause(afterTries tries: Int, chance: Double) -> Double {
        let longest = min(5 * pow(2, Double(min(max(tries, 1), 16) - 1)), 900)
        return longest * (1 - chance / 2)
    }

    private func attempt(_ message: ClaimedMessage) async -> Attempt {
        if message.destination.isRelay {
            // The user refused mail at the provider, so no attempt is made.
            guard let isOff = await store.isForwardingOff(message.destination) else {
                return .failed(reason: "address_unchecked")
            }
            if isOff { return .refused(reason: "forwarding_off") }
        }
        do {
            return .sent(providerID: try await courier.carry(message))
        } catch {
            logger.log(
                level: Self.level(error), "a message could not be sent",
                metadata: ["kind": "\(message.content.kind)", "tries": "\(message.tries)", "error": "\(error)"])
            return Attempt(error)
        }
    }

    /// A refused address needs no attention, a busy server little; other failures are for the administrator to fix.
    private static func level(_ error: DeliveryError) -> Logger.Level {
        if case .refused = Attempt(error) { .info } else { error.isTransient ? .warning : .error }
    }

    private func count(_ attempt: Attempt, _ message: ClaimedMessage) {
        let outcome =
            switch attempt {
            case .sent: "sent"
            case .refused: "refused"
            case .failed: "failed"
            }
        Counter(
            label: "messages_total",
            dimensions: [("medium", message.destination.medium.rawValue), ("outcome", outcome)]
        ).increment()
    }
}
