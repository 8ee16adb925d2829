import Logging
import ServiceLifecycle
import TestSupport

@testable import HTTPServer

/// A listener on a free port, in a service group that can be stopped.
struct RunningListener: Sendable {
    let port: Int
    private let group: ServiceGroup

    /// Stops the server like SIGTERM.
    func stop() async { await group.triggerGracefulShutdown() }

    /// Runs a listener while the body runs.
    ///
    /// - Parameter make: creates it; its argument is called with the port.
    static func run<Value: Sendable>(
        _ make: (_ onListening: @escaping @Sendable (Int) async -> Void) -> HTTPListener, logger: Logger,
        _ body: @escaping @Sendable (RunningListener) async throws -> Value
    ) async throws -> Value {
        let (ports, found) = AsyncStream<Int>.makeStream()
        let group = ServiceGroup(
            configuration: .init(
                services: [.init(service: make { found.yield($0) })], gracefulShutdownSignals: [], logger: logger))
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { found.finish() }
                try await group.run()
            }
            for await port in ports {
                let value = try await body(RunningListener(port: port, group: group))
                tasks.cancelAll()
                return value
            }
            try await tasks.waitForAll()
            throw HarnessError("The listener ended before it listened.")
        }
    }
}
