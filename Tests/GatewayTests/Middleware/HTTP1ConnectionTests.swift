import Hummingbird
import HummingbirdCore
import JSON
import NIOCore
import Testing

@testable import HTTPServer

@Suite("An HTTP/1.1 connection", .timeLimit(.minutes(30)))
struct HTTP1ConnectionTests {
    private static let path: HTTPListener.Answer = { request, _ in
        .init(response: .json(["path": .string(request.uri.path)]))
    }

    private static func paths(in answers: String) -> [String] {
        answers.matches(of: /{"path":"([^"]*)"}/).map { String($0.output.1) }
    }

    @Test("pipelined requests are answered in order", arguments: [false, true])
    func pipelined(isSuspending: Bool) async throws {
        let count = 300
        let requests = (0..<count).map { number in
            "GET /\(number) HTTP/1.1\r\nHost: x\r\n\(number == count - 1 ? "Connection: close\r\n" : "")\r\n"
        }
        let answers = try await PlainListener.run({ request, address in
            if isSuspending { await Task.yield() }
            return await Self.path(request, address)
        }) { try await $0.exchange(requests.joined()) }
        #expect(Self.paths(in: answers) == (0..<count).map { "/\($0)" })
    }

    @Test("a body that arrives after its handler started is read to its end", arguments: [false, true])
    func laterBody(isChunked: Bool) async throws {
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let length = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: 7"
        let answer = try await PlainListener.run(try Self.echo(begin)) { server in
            try await server.converse { outbound in
                let head = "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\(length)\r\n"
                try await outbound.write(ByteBuffer(string: head + "Connection: close\r\n\r\n"))
                for await _ in begun { break }
                for part in isChunked ? ["3\r\n{\"a\r\n", "4\r\n\":1}\r\n", "0\r\n\r\n"] : ["{\"a", "\":1}"] {
                    try await outbound.write(ByteBuffer(string: part))
                }
            }
        }
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(answer.hasSuffix("\r\n\r\n{\"a\":1}"))
    }

    @Test(
        "a withheld body is requested by 100 Continue (RFC 9110 section 10.1.1)",
        arguments: ["100-continue", "100-Continue"])
    func expectation(word: String) async throws {
        let (_, begin) = AsyncStream<Void>.makeStream()
        let answer = try await PlainListener.run(try Self.echo(begin)) { server in
            try await server.connect().executeThenClose { inbound, outbound in
                let head = "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 7\r\n"
                try await outbound.write(ByteBuffer(string: head + "Expect: \(word)\r\nConnection: close\r\n\r\n"))
                var (answer, isSent) = (ByteBuffer(), false)
                for try await part in inbound {
                    answer.writeImmutableBuffer(part)
                    guard !isSent, String(buffer: answer) == "HTTP/1.1 100 Continue\r\n\r\n" else { continue }
                    isSent = true
                    try await outbound.write(ByteBuffer(string: "{\"a\":1}"))
                }
                return String(buffer: answer)
            }
        }
        #expect(answer.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n"))
        #expect(answer.hasSuffix("\r\n\r\n{\"a\":1}"))
    }

    @Test(
        "a body that is too large, or has an unknown expectation, is not requested",
        arguments: [("100-continue", 100_000, 413), ("magic", 0, 400)])
    func noInvitation(word: String, length: Int, status: Int) async throws {
        let (_, begin) = AsyncStream<Void>.makeStream()
        let answer = try await PlainListener.run(try Self.echo(begin)) { server in
            try await server.exchange(
                "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: \(length)\r\n"
                    + "Expect: \(word)\r\nConnection: close\r\n\r\n")
        }
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
    }

    @Test("a body with broken framing is refused, and the connection is closed", arguments: [false, true])
    func brokenFraming(isLater: Bool) async throws {
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let answer = try await PlainListener.run(try Self.echo(begin)) { server in
            try await server.converse { outbound in
                let head = "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                try await outbound.write(ByteBuffer(string: isLater ? head : head + "zz\r\n"))
                guard isLater else { return }
                for await _ in begun { break }
                try await outbound.write(ByteBuffer(string: "zz\r\n"))
            }
        }
        #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        #expect(answer.contains("malformed_request"))
    }

    @Test("malformed HTTP is refused, after the pending answers")
    func noHTTP() async throws {
        try await PlainListener.run(Self.path) { server in
            let refused = try await server.exchange("Hello there!\r\n\r\n")
            try Self.expectRefused(refused)
            let both = try await server.exchange("GET /1 HTTP/1.1\r\nHost: x\r\n\r\nHello there!\r\n\r\n")
            #expect(Self.paths(in: both) == ["/1"])
            try Self.expectRefused(String(both[try #require(both.firstRange(of: "HTTP/1.1 400")).lowerBound...]))
        }
    }

    @Test(
        "a request needs exactly one Host, except in HTTP/1.0 (RFC 9112 section 3.2)",
        arguments: ["GET / HTTP/1.1\r\n\r\n", "POST / HTTP/1.1\r\nHost: x\r\nhost: y\r\nContent-Length: 1\r\n\r\nx"])
    func hosts(request: String) async throws {
        let again = "GET /2 HTTP/1.1\r\nHost: x\r\n\r\n"
        let answers = try await PlainListener.run(Self.path) { server in
            #expect(Self.paths(in: try await server.exchange("GET /1 HTTP/1.0\r\n\r\n")) == ["/1"])
            let head = try await server.exchange("HEAD / HTTP/1.1\r\n\r\n")
            #expect(head.hasPrefix("HTTP/1.1 400 ") && head.hasSuffix("\r\n\r\n"))
            return try await server.exchange("GET /1 HTTP/1.1\r\nHost: x\r\n\r\n" + request + again)
        }
        #expect(Self.paths(in: answers) == ["/1"])
        try Self.expectRefused(String(answers[try #require(answers.firstRange(of: "HTTP/1.1 400")).lowerBound...]))
    }

    @Test(
        "N6: chunked is the only transfer coding; others are 501, and with a length or in HTTP/1.0 it is 400",
        arguments: [
            ("1.1", "Transfer-Encoding: chunked", 200), ("1.1", "transfer-encoding: Chunked", 200),
            ("1.1", "Transfer-Encoding: gzip, chunked", 501), ("1.1", "Transfer-Encoding: chunked, chunked", 400),
            ("1.1", "Transfer-Encoding: identity, chunked", 501),
            ("1.1", "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked", 501),
            ("1.1", "Transfer-Encoding: gzip", 501), ("1.1", "Transfer-Encoding: xchunked", 501),
            ("1.1", "Content-Length: 3\r\nTransfer-Encoding: chunked", 400), ("1.0", "Transfer-Encoding: chunked", 400),
        ])
    func transferCodings(version: String, field: String, status: Int) async throws {
        let answer = try await PlainListener.run(Self.path) { server in
            try await server.exchange(
                "POST /1 HTTP/\(version)\r\nHost: x\r\nConnection: close\r\n\(field)\r\n\r\n1\r\na\r\n0\r\n\r\n")
        }
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
        if status != 200 { #expect(Self.paths(in: answer).isEmpty && answer.contains("Connection: close")) }
        if status == 501 { #expect(answer.contains("transfer_coding_unsupported")) }
    }

    @Test("F15: a refusal before the router also repeats a harmless caller's id")
    func callersID() async throws {
        let answers = try await PlainListener.run(Self.path) { server in
            var answers: [String] = []
            for id in ["my-id", "my id"] {
                answers.append(try await server.exchange("GET / HTTP/1.1\r\nX-Request-Id: \(id)\r\n\r\n"))
            }
            return answers
        }
        #expect(answers[0].contains("X-Request-Id: my-id\r\n"))
        #expect(answers[0].contains(/"request_id":"[a-z0-9]{13}\.my-id"/))
        try Self.expectRefused(answers[1])
    }

    /// The catalogue's text, a request id, and the end of the connection.
    private static func expectRefused(_ answer: String) throws {
        let parts = answer.split(separator: "\r\n\r\n", maxSplits: 1)
        let (head, body) = (try #require(parts.first), try #require(parts.last))
        let problem = try JSON(parsing: String(body))
        #expect(head.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        #expect(head.contains("Content-Type: application/problem+json") && head.contains("Connection: close"))
        #expect(head.contains("Content-Length: \(body.utf8.count)") && head.contains("Cache-Control: no-store"))
        #expect(problem["code"] == "bad_request")
        #expect(head.contains("X-Request-Id: \(problem["request_id"]?.string ?? "none")"))
    }

    @Test("a half-closed client receives all answers", arguments: [1, 3])
    func halfClosed(count: Int) async throws {
        let answers = try await PlainListener.run({ request, address in
            await Task.yield()
            return await Self.path(request, address)
        }) { server in
            try await server.converse { outbound in
                let requests = (0..<count).map { "GET /\($0) HTTP/1.1\r\nHost: x\r\n\r\n" }
                try await outbound.write(ByteBuffer(string: requests.joined()))
                outbound.finish()
            }
        }
        #expect(Self.paths(in: answers) == (0..<count).map { "/\($0)" })
    }

    @Test("no request after the closing one is answered")
    func last() async throws {
        let answers = try await PlainListener.run(Self.path) { server in
            try await server.exchange(
                "GET /1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\n\r\n")
        }
        #expect(Self.paths(in: answers) == ["/1"])
    }

    @Test("a stopping server finishes a request of a disconnected client")
    func clientGone() async throws {
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let (gone, go) = AsyncStream<Void>.makeStream()
        let (finished, finish) = AsyncStream<Bool>.makeStream()
        let wasCancelled = try await PlainListener.run({ request, address in
            begin.yield()
            for await _ in gone { break }
            finish.yield(Task.isCancelled)
            return await Self.path(request, address)
        }) { server in
            try await server.connect().executeThenClose { _, outbound in
                try await outbound.write(ByteBuffer(string: "GET / HTTP/1.1\r\nHost: x\r\n\r\n"))
                for await _ in begun { break }
            }
            await server.stop()
            go.yield()
            for await wasCancelled in finished { return wasCancelled }
            return true
        }
        #expect(!wasCancelled)
    }

    /// Answers with the body's JSON, and signals that it was called.
    private static func echo(_ begin: AsyncStream<Void>.Continuation) throws -> HTTPListener.Answer {
        // Minutes, so that a slow machine does not look like a slow sender.
        let shell = try TestShell(seconds: 300) { router in
            router.post("echo") { request, _ in Response.json(.object(try await JSONBody.changes(request))) }
        }
        return { request, address in
            begin.yield()
            return await shell.shell.respond(to: request, from: address)
        }
    }
}
