import Outbound
import Synchronization
import TestSupport
import Testing

struct GuardedTransportTests {
    /// Answers from a list and counts its requests.
    final class Script: HTTPTransport {
        typealias Answer = Swift.Result<Int, TransferError>
        private let answers: Mutex<[Answer]>
        private let count = Atomic(0)
        var calls: Int { count.load(ordering: .relaxed) }

        init(_ answers: [Answer]) {
            self.answers = Mutex(answers)
        }

        func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse {
            count.add(1, ordering: .relaxed)
            let answer = answers.withLock { $0.isEmpty ? .success(200) : $0.removeFirst() }
            return HTTPResponse(status: try answer.get())
        }
    }

    final class Time: Sendable {
        private let value = Mutex(ContinuousClock.now)
        var now: ContinuousClock.Instant { value.withLock { $0 } }
        func advance(_ duration: Duration) { value.withLock { $0 += duration } }
    }

    static let request = HTTPRequest.get("https://example.com/")

    static func guarded(_ script: Script, _ time: Time) -> GuardedTransport {
        GuardedTransport(
            script, configuration: .init(failureThreshold: 2, coolDown: .seconds(10), jitter: 0), now: { time.now },
            chance: { 0 })
    }

    @Test(
        "J-25: failures of the provider open the circuit, and then requests fail unsent",
        arguments: [
            .success(500), .success(503), .success(429), .failure(.timedOut), .failure(.connectTimedOut),
            .failure(.connectFailed), .failure(.connectionLost), .failure(.tlsFailed), .failure(.resolveFailed),
            .failure(.addressRefused), .failure(.redirectRefused), .failure(.responseTooLarge),
            .failure(.malformedResponse),
        ] as [Script.Answer])
    func opening(answer: Script.Answer) async {
        let (script, time) = (Script([answer, answer]), Time())
        let transport = Self.guarded(script, time)
        for _ in 0..<2 { _ = try? await transport.send(Self.request) }
        #expect(transport.isOpen)
        time.advance(.seconds(0.5))
        await #expect(throws: TransferError.circuitOpen(retryAfterSeconds: 10)) {
            try await transport.send(Self.request)
        }
        #expect(script.calls == 2)
    }

    @Test(
        "valid answers and local refusals never open the circuit",
        arguments: [
            .success(200), .success(400), .success(401), .success(404), .failure(.invalidRequest("x")),
            .failure(.cancelled),
            .failure(.overloaded), .failure(.closed),
        ] as [Script.Answer])
    func staying(answer: Script.Answer) async {
        let (script, time) = (Script(Array(repeating: answer, count: 10)), Time())
        let transport = Self.guarded(script, time)
        for _ in 0..<10 { _ = try? await transport.send(Self.request) }
        #expect(!transport.isOpen)
        #expect(script.calls == 10)
    }

    @Test("after the cool-down, one success closes the circuit")
    func recovery() async throws {
        let (script, time) = (Script([.failure(.timedOut), .failure(.timedOut)]), Time())
        let transport = Self.guarded(script, time)
        for _ in 0..<2 { _ = try? await transport.send(Self.request) }
        #expect(transport.isRefusing)
        time.advance(.seconds(10))
        // Still open, but the next request passes as a probe.
        #expect(transport.isOpen && !transport.isRefusing)
        let response = try await transport.send(Self.request)
        #expect(response.status == 200)
        #expect(!transport.isOpen)
    }

    final class Tally: Sendable {
        private let value = Atomic(0)
        var count: Int { value.load(ordering: .relaxed) }
        func add() { value.add(1, ordering: .relaxed) }
    }

    /// 256 places, as in a client; a request to `slow.example` waits until it is released.
    final class SlowHost: HTTPTransport {
        private struct State {
            var inFlight = 0
            var waiting: [CheckedContinuation<Void, Never>]? = []
        }

        private let state = Mutex(State())
        var waiting: Int { state.withLock { $0.waiting?.count ?? 0 } }

        func release() {
            let waiting = state.withLock { $0.waiting.take() }
            for continuation in waiting ?? [] { continuation.resume() }
        }

        func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse {
            let isPlaced = state.withLock { state in
                guard state.inFlight < 256 else { return false }
                state.inFlight += 1
                return true
            }
            guard isPlaced else { throw .overloaded }
            defer { state.withLock { $0.inFlight -= 1 } }
            if request.url.contains("slow.example") { await released() }
            return HTTPResponse(status: 200)
        }

        private func released() async {
            await withCheckedContinuation { continuation in
                let isReleased = state.withLock { state in
                    state.waiting?.append(continuation)
                    return state.waiting == nil
                }
                if isReleased { continuation.resume() }
            }
        }
    }

    @Test("J-25: a hanging provider takes only its own share of the client's places")
    func places() async throws {
        let host = SlowHost()
        let (slow, quick) = (GuardedTransport(host), GuardedTransport(host))
        let refused = Tally()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<300 {
                group.addTask {
                    do throws(TransferError) {
                        _ = try await slow.send(.get("https://slow.example/"))
                    } catch .overloaded {
                        refused.add()
                    }
                }
            }
            _ = try await poll { host.waiting + refused.count == 300 ? () : nil }
            let response = try? await quick.send(Self.request)
            #expect(response?.status == 200 && host.waiting == 64 && !slow.isOpen)
            host.release()
            try await group.waitForAll()
        }
        #expect(try await slow.send(.get("https://slow.example/")).status == 200, "the places are free again")
    }

    @Test("one provider's circuit does not affect the others")
    func isolation() async throws {
        let time = Time()
        let broken = Self.guarded(Script([.failure(.timedOut), .failure(.timedOut)]), time)
        let healthy = Self.guarded(Script([]), time)
        for _ in 0..<2 { _ = try? await broken.send(Self.request) }
        let response = try await healthy.send(Self.request)
        #expect(broken.isOpen && response.status == 200)
    }
}
