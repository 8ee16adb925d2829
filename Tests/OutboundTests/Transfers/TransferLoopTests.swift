import Synchronization
import Testing

@testable import Outbound

@Suite(.timeLimit(.minutes(10)))
struct TransferLoopTests {
    /// Whether the system can start threads.
    private final class Supply: Sendable {
        let isThere = Mutex(false)
    }

    @Test("a transfer without a thread is refused, and the next one tries to start a thread")
    func noThread() async throws {
        try await ScriptedServer.with({ _ in [.answer()] }) { server in
            let supply = Supply()
            let loop = TransferLoop(name: "test", maximumInFlight: 1) { loop in
                let isThere = supply.isThere.withLock { $0 }
                return isThere && loop.startThread()
            }
            let plan = UncheckedPlan(
                url: "http://127.0.0.1:\(server.port)/",
                addressGuard: AddressGuard(allowsLocal: true, requiresLocal: true))
            for _ in 0..<2 {
                let refused = await loop.run(plan)
                #expect(refused.end == .overloaded)
            }
            supply.isThere.withLock { $0 = true }
            let outcome = await loop.run(plan)
            await loop.shutdown()
            #expect(outcome.status == 200)
        }
    }
}
