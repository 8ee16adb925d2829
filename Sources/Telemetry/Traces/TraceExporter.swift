import FoundationEssentials
import JSON
package import Logging
package import Outbound
import ServiceLifecycle
import Synchronization
package import Traces

/// Sends the spans of sampled requests to a collector, in batches.
///
/// A request only appends to a bounded queue. Spans beyond it are dropped and counted, and so is a batch that the collector
/// does not take. Nothing is sent twice.
package final class TraceExporter: Sendable, Service {
    private struct Queue {
        var spans: [ExportedSpan] = []
        var isFailing = false
    }

    static let limit = 4_096
    /// About 200 KB.
    private static let batch = 512
    private static let pause = Duration.seconds(1)

    package let sampler: TraceSampler
    private let url: String
    private let host: String
    private let transport: any HTTPTransport
    private let logger: Logger
    private let queue = Mutex(Queue())
    private let sent: CounterSeries
    private let dropped: CounterSeries
    private let failed: CounterSeries

    /// - Parameters:
    ///   - endpoint: the collector's address, without `/v1/traces`.
    ///   - host: the name of this server.
    ///   - registry: counts the spans.
    package init(
        endpoint: String, host: String, sampler: TraceSampler, transport: any HTTPTransport, logger: Logger,
        registry: MetricsRegistry
    ) {
        url = endpoint + "/v1/traces"
        (self.host, self.sampler, self.transport, self.logger) = (host, sampler, transport, logger)
        func counter(_ outcome: String) -> CounterSeries { registry.counter("trace_spans", [("outcome", outcome)]) }
        (sent, dropped, failed) = (counter("sent"), counter("dropped"), counter("failed"))
    }

    /// Queues the spans of a finished request.
    ///
    /// - Parameter door: the span of the whole request.
    package func export(_ trace: RequestTrace, door: TraceSpan) {
        let (spans, beyond) = trace.finish()
        let (now, date) = (ContinuousClock.now, Int(Date().timeIntervalSince1970 * 1_000_000) * 1_000)
        func unix(_ instant: ContinuousClock.Instant) -> Int { date - (now - instant).wholeNanoseconds }
        let exported = (spans + [door]).map { span in
            ExportedSpan(
                traceID: trace.traceID, state: trace.state, span: span, start: unix(span.start), end: unix(span.end))
        }
        let surplus = queue.withLock { queue in
            let room = max(0, Self.limit - queue.spans.count)
            queue.spans += exported.prefix(room)
            return max(0, exported.count - room)
        }
        if surplus + beyond > 0 { dropped.increment(by: Int64(surplus + beyond)) }
    }

    package func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                try await Task.sleep(for: Self.pause)
                await self.flush()
            }
        }
        await flush()
    }

    /// Sends what is queued now.
    ///
    /// Spans of requests that end meanwhile wait for the next time. Otherwise a busy server would send each request alone.
    func flush() async {
        var left = queue.withLock { $0.spans.count }
        while left > 0 {
            let batch = take(min(left, Self.batch))
            left -= batch.count
            let error = await send(batch)
            (error == nil ? sent : failed).increment(by: Int64(batch.count))
            note(error)
            if error != nil { return }
        }
    }

    private func take(_ count: Int) -> [ExportedSpan] {
        queue.withLock { queue in
            defer { queue.spans.removeFirst(count) }
            return Array(queue.spans.prefix(count))
        }
    }

    /// - Returns: nil if the collector took the spans.
    private func send(_ batch: [ExportedSpan]) async -> String? {
        let request = HTTPRequest(
            method: .post, url: url, headers: [("Content-Type", "application/json")],
            body: OTLPBody.json(batch, host: host).bytes(), deadline: .seconds(2), maximumBytes: 65_536)
        do {
            let response = try await transport.send(request)
            return (200..<300).contains(response.status) ? nil : "status \(response.status)"
        } catch {
            return "\(error)"
        }
    }

    /// Logs the first failure, and the recovery.
    private func note(_ error: String?) {
        let wasFailing = queue.withLock { queue in
            defer { queue.isFailing = error != nil }
            return queue.isFailing
        }
        if let error, !wasFailing {
            logger.warning("the collector takes no traces", metadata: ["error": "\(error)"])
        } else if error == nil, wasFailing {
            logger.notice("the collector takes traces again")
        }
    }
}

extension Duration {
    fileprivate var wholeNanoseconds: Int {
        Int(components.seconds) * 1_000_000_000 + Int(components.attoseconds / 1_000_000_000)
    }
}
