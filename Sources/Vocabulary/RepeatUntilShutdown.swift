import ServiceLifecycle

/// Repeats the work at the interval until the server stops.
package func repeatUntilShutdown(every interval: Duration, _ work: () async -> Void) async throws {
    for await _ in AsyncTicks(interval: interval).cancelOnGracefulShutdown() {
        await work()
    }
}

/// One tick at once, and one after each interval.
private struct AsyncTicks: AsyncSequence, Sendable {
    let interval: Duration

    struct Iterator: AsyncIteratorProtocol {
        let interval: Duration
        var isFirst = true

        mutating func next() async -> Void? {
            defer { isFirst = false }
            if isFirst { return () }
            return try? await Task.sleep(for: interval)
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(interval: interval) }
}
