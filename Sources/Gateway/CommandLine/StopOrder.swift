import ServiceLifecycle
import Synchronization

/// Has the first of a group's services end after all others, as it does in a graceful stop, also where the group is
/// cancelled: that reaches all of them at once, and what they still have to write needs the database.
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

        /// On a task of its own, which hears of a graceful stop like this one, but of a cancellation later.
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

    /// How many of the others still run.
    private let others: Mutex<Int>
    /// Finished when none does.
    private let end: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    private init(others: Int) {
        self.others = Mutex(others)
        (end, continuation) = AsyncStream.makeStream(of: Void.self)
        if others <= 0 { continuation.finish() }
    }

    /// The same services in the same order.
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
