import TestSupport
import Testing

@testable import Outbound

/// The client's behaviour with broken and hostile servers.
@Suite(.timeLimit(.minutes(10)))
struct HTTPClientFaultTests {
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let steps: [ScriptedServer.Step]
        let expected: TransferError

        init(_ name: String, _ expected: TransferError, _ steps: [ScriptedServer.Step]) {
            (testDescription, self.expected, self.steps) = (name, expected, steps)
        }
    }

    static let head = "HTTP/1.1 200 OK\r\n"
    static let faults: [Fault] = [
        Fault(
            "body announced beyond the limit", .responseTooLarge, [.send(head + "Content-Length: 1001\r\n\r\n"), .hang]),
        Fault(
            "endless chunks", .responseTooLarge,
            [.send(head + "Transfer-Encoding: chunked\r\n\r\n"), .repeatForever("10\r\n0123456789abcdef\r\n")]),
        Fault(
            "endless body without a length", .responseTooLarge, [.send(head + "\r\n"), .repeatForever("0123456789")]),
        Fault(
            "one byte more than the limit", .responseTooLarge,
            [.send(head + "\r\n" + String(repeating: "x", count: 1001)), .close]),
        Fault("endless headers", .responseTooLarge, [.send(head), .repeatForever("X-Bomb: 0123456789abcdef\r\n")]),
        Fault(
            "an endless header line", .responseTooLarge, [.send(head + "X-Bomb: "), .repeatForever("0123456789abcdef")]),
        Fault(
            "headers of more than 64 KiB", .responseTooLarge,
            [
                .send(head + String(repeating: "X-Bomb: " + String(repeating: "x", count: 1000) + "\r\n", count: 70)),
                .hang,
            ]),
        Fault("a body cut short", .malformedResponse, [.send(head + "Content-Length: 100\r\n\r\nabc"), .close]),
        Fault(
            "chunks cut short", .malformedResponse,
            [.send(head + "Transfer-Encoding: chunked\r\n\r\n5\r\nabc"), .close]),
        Fault(
            "a chunk size that isn't one", .malformedResponse,
            [.send(head + "Transfer-Encoding: chunked\r\n\r\nzz\r\n"), .hang]),
        Fault("no status line", .malformedResponse, [.send("garbage\r\n\r\n"), .close]),
        Fault("HTTP/0.9", .malformedResponse, [.send("<html>maintenance</html>"), .close]),
        Fault("a header without a colon", .malformedResponse, [.send(head + "nonsense\r\n\r\n"), .hang]),
        Fault(
            "a folded header", .malformedResponse, [.send(head + "X-A: b\r\n c\r\nContent-Length: 0\r\n\r\n"), .hang]),
        Fault("a negative length", .malformedResponse, [.send(head + "Content-Length: -1\r\n\r\n"), .hang]),
        Fault("closed without a word", .connectionLost, [.close]),
    ]

    @Test("a fault has its own error, and no part of the answer is used", arguments: faults)
    func fault(_ fault: Fault) async throws {
        let client = LocalClient()
        try await ScriptedServer.with({ _ in fault.steps }) { server in
            var request = HTTPRequest.get(server.url())
            request.maximumBytes = 1000
            await #expect(throws: fault.expected) { try await client.send(request) }
        }
    }

    @Test("a body of exactly the limit is accepted")
    func exactLimit() async throws {
        let client = LocalClient()
        try await ScriptedServer.with({ _ in [.answer(200, String(repeating: "x", count: 1000))] }) { server in
            var request = HTTPRequest.get(server.url())
            request.maximumBytes = 1000
            let response = try await client.send(request)
            #expect(response.body.count == 1000)
        }
    }

    @Test("bytes beyond the announced length belong to neither this answer nor the next")
    func excessBody() async throws {
        let client = LocalClient()
        try await ScriptedServer.with({ request in
            request.connection == 0
                ? [
                    .send(
                        "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"
                    )
                ]
                : [.answer(200, "good")]
        }) { server in
            let response2 = try await client.send(.get(server.url()))
            #expect(response2.body == Array("abc".utf8))
            let response3 = try await client.send(.get(server.url()))
            #expect(response3.body == Array("good".utf8))
        }
    }

    @Test("after a fault, the client serves the next request")
    func afterFaults() async throws {
        let client = LocalClient()
        for fault in HTTPClientFaultTests.faults {
            try await ScriptedServer.with({ _ in fault.steps }) { server in
                var request = HTTPRequest.get(server.url())
                request.maximumBytes = 1000
                await #expect(throws: fault.expected) { try await client.send(request) }
            }
        }
        try await ScriptedServer.with({ _ in [.answer(200, "fine")] }) { server in
            let response4 = try await client.send(.get(server.url()))
            #expect(response4.body == Array("fine".utf8))
        }
    }

    @Test("on a broken connection, a POST is not repeated, but a GET may be")
    func noSilentRepeat() async throws {
        let client = LocalClient()
        try await ScriptedServer.with({ $0.ordinal == 0 ? [.answer()] : [.close] }) { server in
            _ = try await client.send(.get(server.url("/first")))
            await #expect(throws: TransferError.connectionLost) {
                try await client.send(.form(server.url("/post"), [("code", "once")]))
            }
            #expect(server.requests.filter { $0.target == "/post" }.count == 1)
            _ = try await client.send(.get(server.url("/second")))
            let response5 = try await client.send(.get(server.url("/again")))
            #expect(response5.status == 200)
            #expect(server.requests.filter { $0.target == "/again" }.count == 2)
        }
    }
}
