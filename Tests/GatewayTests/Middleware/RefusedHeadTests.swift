import Foundation
import HTTPTypes
import Hummingbird
import JSON
import Testing

@testable import HTTPServer

@Suite("A refused HEAD request", .timeLimit(.minutes(30)))
struct RefusedHeadTests {
    private static func shell() throws -> TestShell {
        try TestShell(maximumRequests: 1) { router in
            router.get("here") { _, _ in Response.json(["a": 1]) }
            router.post("only-post") { _, _ in Response.json([]) }
            router.get("guarded") { _, _ -> Response in throw Problem(.unauthorized, code: "access_token_missing") }
        }
    }

    private static func answer() throws -> HTTPListener.Answer {
        let shell = try shell().shell
        return { await shell.respond(to: $0, from: $1) }
    }

    @Test(
        "gets the length without the body, so that the next answer is readable (RFC 9110 section 9.3.2)",
        arguments: [("/nowhere", 404), ("/only-post", 405), ("/guarded", 401)])
    func next(path: String, status: Int) async throws {
        let answers = try await PlainListener.run(try Self.answer()) { server in
            try await server.exchange(
                "HEAD \(path) HTTP/1.1\r\nHost: x\r\n\r\nGET /here HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        }
        let parts = answers.components(separatedBy: "\r\n\r\n")
        try #require(parts.count == 3, "\(answers)")
        #expect(parts[0].hasPrefix("HTTP/1.1 \(status) "))
        #expect(parts[0].contains(/Content-Length: [1-9]/))
        #expect(parts[1].hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(parts[2] == "{\"a\":1}")
    }

    @Test("ends its HTTP/2 stream normally")
    func stream() async throws {
        try await SecureListener.run(try Self.answer()) { server in
            var client = try await HTTP2Client(server)
            try await client.request(1, "HEAD", "/nowhere")
            let refused = try await client.answer(1)
            #expect(refused.first?.kind == .headers)
            #expect(refused.last?.endsStream == true)
            #expect(refused.text == "")
            try await client.request(3, "GET", "/here")
            #expect(try await client.answer(3).isOK)
        }
    }

    @Test("gets no body for a refusal before the handler")
    func overloaded() async throws {
        let shell = try Self.shell()
        #expect(shell.load.enter())
        let response = await shell.send(.head, "/here").response
        #expect(response.status == .serviceUnavailable)
        #expect(try await response.bytes.isEmpty)
        let length = try #require(response.headers[.contentLength].flatMap { Int($0) })
        #expect(length > 0)
    }
}
