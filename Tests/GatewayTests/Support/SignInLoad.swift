import JSON
import Synchronization
import TestSupport
import Testing

/// Users who sign in one after the other, and the gateway's acknowledgements.
final class SignInLoad: Sendable {
    struct Acknowledged: Sendable {
        let began: ContinuousClock.Instant
        let minted: Minted
        let session: SignedInAnswer
    }

    private struct State {
        var isOver = false
        var acknowledged: [Acknowledged] = []
        var refusals: [TestAnswer] = []
    }

    private let gateway: GatewayProcess
    private let state = Mutex(State())

    init(_ gateway: GatewayProcess) {
        self.gateway = gateway
    }

    var acknowledged: [Acknowledged] { state.withLock { $0.acknowledged } }
    var refusals: [TestAnswer] { state.withLock { $0.refusals } }

    /// Signs users in with that many concurrent clients while the body runs.
    func run(clients: Int, _ body: () async throws -> Void) async throws {
        async let signingIn: Void = withThrowingTaskGroup { group in
            for _ in 0..<clients { group.addTask { try await self.signIn() } }
            try await group.waitForAll()
        }
        let result: Result<Void, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        state.withLock { $0.isOver = true }
        try await signingIn
        try result.get()
    }

    /// Waits for that many sign-ins that begin after this call.
    func goesOn(for count: Int, within limit: Duration) async throws {
        let now = ContinuousClock.now
        do {
            try await poll(within: limit) { acknowledged.count { $0.began > now } >= count ? () : nil }
        } catch {
            let last = refusals.last.map { "\($0.status) \($0.text)" } ?? "none"
            throw HarnessError("No \(count) sign-ins were acknowledged within \(limit). The last refusal: \(last)")
        }
    }

    private func signIn() async throws {
        while !state.withLock({ $0.isOver }) {
            let minted = try await gateway.simulator.mint("google", ["subject": .string(Fresh.subject("google"))])
            let began = ContinuousClock.now
            let answer = try await gateway.signIn(minted)
            guard answer.status == 200 else {
                state.withLock { $0.refusals.append(answer) }
                // A client waits before a retry.
                try await Task.sleep(for: .milliseconds(200))
                continue
            }
            let session = try SignedInAnswer(answer)
            state.withLock {
                $0.acknowledged.append(Acknowledged(began: began, minted: minted, session: session))
            }
        }
    }
}
