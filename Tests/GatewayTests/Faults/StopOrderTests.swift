import ServiceLifecycle
import Synchronization
import TestSupport
import Testing

@testable import Gateway

@Suite("The order in which services stop", .timeLimit(.minutes(1)))
struct StopOrderTests {
    /// The names of services in the order of their ends.
    private final class Ends: Sendable {
        let names = Mutex<[String]>([])
    }

    private struct Part: Service {
        let name: String
        /// The remaining work at the stop signal.
        let left: Int
        let ends: Ends

        func run() async throws {
            try? await gracefulShutdown()
            for _ in 0..<left { await Task.yield() }
            ends.names.withLock { $0.append(name) }
        }
    }

    private static func group(_ ends: Ends) -> ServiceGroup {
        let parts = [("pool", 0), ("feed", 2_000), ("door", 1_000)].map { Part(name: $0, left: $1, ends: ends) }
        let services = StopOrder.firstEndsLast(parts)
        return ServiceGroup(
            configuration: ServiceGroupConfiguration(services: services.map { .init(service: $0) }, logger: .silent))
    }

    @Test("if all are cancelled at once, the first service still ends last")
    func cancelled() async {
        for _ in 0..<20 {
            let ends = Ends()
            let work = Task { try await Self.group(ends).run() }
            work.cancel()
            _ = await work.result
            let names = ends.names.withLock { $0 }
            #expect(names.count == 3)
            #expect(names.last == "pool")
        }
    }

    @Test("a graceful stop reaches the first after all others")
    func graceful() async throws {
        let ends = Ends()
        let group = Self.group(ends)
        await group.triggerGracefulShutdown()
        try await group.run()
        #expect(ends.names.withLock { $0 } == ["door", "feed", "pool"])
    }

    @Test("one service alone ends when it is cancelled")
    func alone() async {
        let ends = Ends()
        let services = StopOrder.firstEndsLast([Part(name: "pool", left: 0, ends: ends)])
        let work = Task { for service in services { try await service.run() } }
        work.cancel()
        _ = await work.result
        #expect(ends.names.withLock { $0 } == ["pool"])
    }
}
