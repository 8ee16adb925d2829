import Providers
import Synchronization
import Testing

struct GuardedTransportTests {
    /// Answers from a list, and counts how often it was asked.
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
        "J-25: the provider's own trouble opens the circuit, then requests fail without being sent",
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
        "answers to what we asked, and our own refusals, never open it",
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

    @Test("after the cool-down one good answer closes it")
    func recovery() async throws {
        let (script, time) = (Script([.failure(.timedOut), .failure(.timedOut)]), Time())
        let transport = Self.guarded(script, time)
        for _ in 0..<2 { _ = try? await transport.send(Self.request) }
        time.advance(.seconds(10))
        let response = try await transport.send(Self.request)
        #expect(response.status == 200)
        #expect(!transport.isOpen)
    }

    @Test("one provider's circuit leaves the others alone")
    func isolation() async throws {
        let time = Time()
        let broken = Self.guarded(Script([.failure(.timedOut), .failure(.timedOut)]), time)
        let healthy = Self.guarded(Script([]), time)
        for _ in 0..<2 { _ = try? await broken.send(Self.request) }
        let response = try await healthy.send(Self.request)
        #expect(broken.isOpen && response.status == 200)
    }
}
