package import Cryptography
import Foundation
import JSON
package import Logging
import Metrics
package import Outbound
package import Postgres
import ServiceLifecycle
import Synchronization

/// Posts queued events to their endpoints, signed according to Standard Webhooks; at least once, in no guaranteed
/// order.
package struct EventCourier: Service {
    private let store: EventDeliveryStore
    private let transports: EndpointTransports
    private let logger: Logger

    private static let interval = Duration.seconds(1)
    /// The number of rounds between clean-ups.
    private static let sweeping = 60
    private static let batch = 5_000
    private static let mostSettlings = 5

    /// - Parameter circuit: when an endpoint is paused, and for how long.
    package init(
        pool: ConnectionPool, keys: MasterKeys, transport: any HTTPTransport,
        circuit: CircuitBreaker.Configuration = CircuitBreaker.Configuration(), logger: Logger
    ) {
        store = EventDeliveryStore(pool: pool, box: SealedBox(keys))
        transports = EndpointTransports(transport, circuit)
        self.logger = logger
    }

    /// Finishes running deliveries before it returns.
    package func run() async throws {
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let ticks = Task {
            var count = 0
            while !Task.isCancelled {
                wake.yield()
                if count % Self.sweeping == 0 { await sweep() }
                count += 1
                try? await Task.sleep(for: Self.interval)
            }
        }
        defer { ticks.cancel() }
        await withDiscardingTaskGroup { group in
            for await _ in wakes.cancelOnGracefulShutdown() {
                // Without a database there is nothing to send; retried soon.
                for delivery in (try? await claim()) ?? [] {
                    group.addTask {
                        // Nothing was sent, so an immediate retry would fail too.
                        if await !deliver(delivery).isPostponed { wake.yield() }
                    }
                }
            }
        }
    }

    /// Attempts all due deliveries once.
    func deliverDue() async throws {
        let deliveries = try await claim()
        await withDiscardingTaskGroup { group in
            for delivery in deliveries { group.addTask { _ = await deliver(delivery) } }
        }
    }

    /// Skips paused endpoints; after the cool-down their deliveries are leased again, which probes them.
    private func claim() async throws -> [EventDelivery] {
        try await store.claim(except: transports.refusing)
    }

    private func sweep() async {
        while let removed = try? await store.sweep(limit: Self.batch), removed >= Self.batch {}
    }

    private func deliver(_ delivery: EventDelivery) async -> EventDelivery.Outcome {
        let outcome = await attempt(delivery)
        count(outcome)
        if case .failed(let status, let error) = outcome {
            let shown = status.map { "status \($0)" } ?? error
            logger.info(
                "an event could not be delivered",
                metadata: ["endpoint": "\(delivery.endpoint.text)", "tries": "\(delivery.tries)", "error": "\(shown)"])
        }
        let pause = Self.pause(outcome, tries: delivery.tries, chance: Double.random(in: 0...1))
        for settling in 1...Self.mostSettlings {
            if (try? await store.settle(delivery, outcome, pause: pause)) != nil { return outcome }
            if settling < Self.mostSettlings { try? await Task.sleep(for: .seconds(1)) }
        }
        return outcome
    }

    private func attempt(_ delivery: EventDelivery) async -> EventDelivery.Outcome {
        guard !delivery.secrets.isEmpty else { return .failed(status: nil, error: "secret_unreadable") }
        do {
            let response = try await transports[delivery.target].send(Self.request(delivery, at: Date()))
            switch response.status {
            case 200..<300: return .delivered(status: response.status)
            case 410: return .gone
            default: return .failed(status: response.status, error: "status")
            }
        } catch {
            return Self.outcome(error)
        }
    }

    private static func request(_ delivery: EventDelivery, at now: Date) -> HTTPRequest {
        let (body, time) = (Array(delivery.payload.utf8), String(Int(now.timeIntervalSince1970)))
        let signatures = delivery.secrets.map { $0.signature(id: delivery.id, time: time, body: body) }
        return HTTPRequest(
            method: .post, url: delivery.url,
            headers: [
                ("Content-Type", "application/json"), ("webhook-id", delivery.id), ("webhook-timestamp", time),
                ("webhook-signature", signatures.joined(separator: " ")),
            ], body: body, deadline: .seconds(10), maximumBytes: 64 * 1024)
    }

    private static func outcome(_ error: TransferError) -> EventDelivery.Outcome {
        switch error {
        case .circuitOpen(let seconds): .postponed(error: "circuit_open", seconds: seconds)
        case .overloaded, .closed, .cancelled: .postponed(error: "not_sent", seconds: 5)
        case .timedOut, .connectTimedOut: .failed(status: nil, error: "timed_out")
        case .connectFailed, .connectionLost: .failed(status: nil, error: "connection_failed")
        case .tlsFailed: .failed(status: nil, error: "tls_failed")
        case .resolveFailed: .failed(status: nil, error: "resolve_failed")
        case .addressRefused, .invalidRequest: .failed(status: nil, error: "address_refused")
        case .redirectRefused: .failed(status: nil, error: "redirect_refused")
        case .responseTooLarge: .failed(status: nil, error: "response_too_large")
        case .malformedResponse: .failed(status: nil, error: "malformed_response")
        }
    }

    /// Seconds until the next attempt: 5 at first, three times as long each time, at most a day; randomly shortened by
    /// up to half, so that failed deliveries don't retry together.
    static func pause(_ outcome: EventDelivery.Outcome, tries: Int, chance: Double) -> Double {
        if case .postponed(_, let seconds) = outcome { return Double(seconds) }
        return min(5 * pow(3, Double(min(max(tries, 1), 12) - 1)), 86_400) * (1 - chance / 2)
    }

    private func count(_ outcome: EventDelivery.Outcome) {
        let word =
            switch outcome {
            case .delivered: "delivered"
            case .failed: "failed"
            case .postponed: "postponed"
            case .gone: "gone"
            }
        Counter(label: "event_deliveries_total", dimensions: [("outcome", word)]).increment()
    }
}

/// A circuit per endpoint, so that a failing one is paused and affects no other.
private final class EndpointTransports: Sendable {
    private let transport: any HTTPTransport
    private let circuit: CircuitBreaker.Configuration
    private let guarded = Mutex<[EventDelivery.Target: GuardedTransport]>([:])

    init(_ transport: any HTTPTransport, _ circuit: CircuitBreaker.Configuration) {
        (self.transport, self.circuit) = (transport, circuit)
    }

    subscript(_ target: EventDelivery.Target) -> GuardedTransport {
        guarded.withLock { guarded in
            if let known = guarded[target] { return known }
            let made = GuardedTransport(transport, configuration: circuit)
            guarded[target] = made
            return made
        }
    }

    /// The paused endpoints.
    var refusing: [EventDelivery.Target] {
        guarded.withLock { guarded in Array(guarded.filter { $0.value.isRefusing }.keys) }
    }
}
