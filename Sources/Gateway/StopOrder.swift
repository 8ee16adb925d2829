import ServiceLifecycle
import Synchronization

/// Ends the first service of a group after all others, even if the group is cancelled.
///
/// A cancellation reaches all services at once, but their last writes need the database.
final class StopOrder: Sendable {
    private struct Other: Service {
        let service: any Service
        let order: StopOrder

        func run() async throws {
            defer { order.leave() }
            try await service.run()
        }
    }

    private struct Last: Service {
        let service: any Service
        let order: StopOrder

        /// Runs in a separate task, which receives a graceful stop immediately but a cancellation later.
        func run() async throws {
            let work = Task { try await service.run() }
            try await withTaskCancellationHandler {
                try await work.value
            } onCancel: {
                Task {
                    await order.othersLeft()
                    work.cancel()
                }
            }
        }
    }

    /// The number of other services still running.
    private let others: Mutex<Int>
    /// Finishes when that number is zero.
    private let end: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    private init(others: Int) {
        self.others = Mutex(others)
        (end, continuation) = AsyncStream.makeStream(of: Void.self)
        if others <= 0 { continuation.finish() }
    }

    /// Returns the same services in the same order.
    static func firstEndsLast(_ services: [any Service]) -> [any Service] {
        let order = StopOrder(others: services.count - 1)
        return services.enumerated().map { index, service -> any Service in
            guard index > 0 else { return Last(service: service, order: order) }
            return Other(service: service, order: order)
        }
    }

    private func leave() {
        let isEmpty = others.withLock { others in
            others -= 1
            return others == 0
        }
        if isEmpty { continuation.finish() }
    }

    private func othersLeft() async {
        for await _ in end {}
    }
}
