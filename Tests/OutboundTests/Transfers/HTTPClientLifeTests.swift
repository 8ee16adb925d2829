import TestSupport
import Testing

@testable import Outbound

/// Deadlines, cancellation, limits and shutdown.
@Suite(.timeLimit(.minutes(10)))
struct HTTPClientLifeTests {
    struct Silence: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let steps: [ScriptedServer.Step]
    }

    static let silences = [
        Silence(testDescription: "before the status line", steps: [.hang]),
        Silence(testDescription: "amid the headers", steps: [.send("HTTP/1.1 200 OK\r\nContent-"), .hang]),
        Silence(
            testDescription: "amid the body", steps: [.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .hang]),
    ]

    @Test("J-25: a silent server costs at most the deadline", arguments: silences)
    func silence(_ silence: Silence) async throws {
        let client = LocalClient()
        try await ScriptedServer.with({ _ in silence.steps }) { server in
            var request = HTTPRequest.get(server.url())
            request.deadline = .milliseconds(250)
            await #expect(throws: TransferError.timedOut) { try await client.send(request) }
            await server.connectionEnded.first { _ in true }
            // The upper bound allows for busy machines, but is below the default deadline of five seconds.
            let time = try #require(server.hangs.first)
            #expect(time > .milliseconds(100) && time < .milliseconds(4500), "\(time)")
        }
    }

    @Test("many concurrent deadlines all hold")
    func manyDeadlines() async throws {
        let client = LocalClient()
        try await ScriptedServer.with({ _ in [.hang] }) { server in
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<32 {
                    let url = server.url()
                    group.addTask {
                        var request = HTTPRequest.get(url)
                        request.deadline = .milliseconds(300)
                        await #expect(throws: TransferError.timedOut) { try await client.send(request) }
                    }
                }
            }
            for await _ in server.connectionEnded.prefix(32) {}
            #expect(server.hangs.count == 32)
            // The default deadline of these clients is five seconds.
            #expect(server.hangs.allSatisfy { $0 < .milliseconds(4500) }, "\(server.hangs)")
        }
    }

    @Test("a deadline of zero or less expires at once", arguments: [Duration.zero, .seconds(-1)])
    func noTime(deadline: Duration) async throws {
        let client = LocalClient()
        try await ScriptedServer.with({ _ in [.hang] }) { server in
            var request = HTTPRequest.get(server.url())
            request.deadline = deadline
            let error = await #expect(throws: TransferError.self) { try await client.send(request) }
            #expect(error == .timedOut || error == .connectTimedOut)
        }
    }

    @Test("cancelling the task ends the transfer and closes its connection")
    func cancellation() async throws {
        let client = LocalClient()
        try await ScriptedServer.with({ _ in [.hang] }) { server in
            let url = server.url()
            let task = Task { try await client.send(.get(url)) }
            await server.requestArrived.first { _ in true }
            task.cancel()
            await #expect(throws: TransferError.cancelled) { try await task.value }
            await server.connectionEnded.first { _ in true }
        }
    }

    @Test("a task cancelled before its request sends nothing")
    func cancelledBefore() async throws {
        let client = LocalClient()
        try await ScriptedServer.with({ _ in [.answer()] }) { server in
            let url = server.url()
            let task = Task {
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                return try await client.send(.get(url))
            }
            await #expect(throws: TransferError.cancelled) { try await task.value }
            #expect(server.requests.isEmpty)
        }
    }

    @Test("cancelling at any moment answers each request exactly once")
    func cancellationStorm() async throws {
        let client = LocalClient()
        try await ScriptedServer.with({ _ in [.answer()] }) { server in
            let url = server.url()
            let answered = await withTaskGroup(of: Bool.self) { group in
                for index in 0..<200 {
                    group.addTask {
                        let task = Task { try await client.send(.get(url)) }
                        for _ in 0..<(index % 7) { await Task.yield() }
                        task.cancel()
                        switch await task.result {
                        case .success(let response): return response.status == 200
                        case .failure(let error): return error as? TransferError == .cancelled
                        }
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(answered == 200)
        }
    }

    @Test("requests beyond the limit fail at once, and a freed place is reusable")
    func overload() async throws {
        let client = LocalClient(maximumInFlight: 1)
        try await ScriptedServer.with({ $0.target == "/hang" ? [.hang] : [.answer()] }) { server in
            let url = server.url("/hang")
            let first = Task { try await client.send(.get(url)) }
            await server.requestArrived.first { _ in true }
            await #expect(throws: TransferError.overloaded) { try await client.send(.get(server.url())) }
            first.cancel()
            await #expect(throws: TransferError.cancelled) { try await first.value }
            for _ in 0..<3 {
                let response = try await client.send(.get(server.url()))
                #expect(response.status == 200)
            }
        }
    }

    @Test("shutdown ends running requests and refuses later ones")
    func shutdown() async throws {
        let client = LocalClient()
        try await ScriptedServer.with({ _ in [.hang] }) { server in
            let url = server.url()
            let pending = Task { try await client.send(.get(url)) }
            await server.requestArrived.first { _ in true }
            await client.shutdown()
            await #expect(throws: TransferError.closed) { try await pending.value }
            await #expect(throws: TransferError.closed) { try await client.send(.get(url)) }
            await client.shutdown()
        }
    }

    @Test("an unused client shuts down at once")
    func unusedShutdown() async throws {
        let client = LocalClient()
        await client.shutdown()
        await #expect(throws: TransferError.closed) { try await client.send(.get("http://127.0.0.1:1/")) }
    }

    @Test("a released client closes its connections")
    func letGo() async throws {
        try await ScriptedServer.with({ _ in [.answer()] }) { server in
            _ = try await LocalClient().send(.get(server.url()))
            await server.connectionEnded.first { _ in true }
        }
    }
}
