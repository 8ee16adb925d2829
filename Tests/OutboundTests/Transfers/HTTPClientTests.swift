import TestSupport
import Testing

@testable import Outbound

@Suite(.timeLimit(.minutes(10)))
struct HTTPClientTests {
    @Test("headers without a value are kept, also at the end of an answer (RFC 9110 §5.5)")
    func emptyHeaders() async throws {
        let client = LocalClient()
        try await ScriptedServer.with({ _ in
            [
                .send("HTTP/1.1 200 OK\r\nX-A:\r\nX-B: \r\nX-C:\t \r\nTransfer-Encoding: chunked\r\n\r\n"),
                .send("1\r\nx\r\n0\r\nX-D:\r\n\r\n"), .close,
            ]
        }) { server in
            let response = try await client.send(.get(server.url("/a")))
            #expect(response.body == Array("x".utf8))
            for name in ["X-A", "X-B", "X-C", "X-D"] { #expect(response.header(name) == "", "\(name)") }
        }
    }

    @Test("an answer has status, headers in any case, and body")
    func normalAnswer() async throws {
        let client = LocalClient()
        try await ScriptedServer.with({ _ in
            [.answer(400, #"{"error":"x"}"#, headers: "Content-Type: Application/JSON;charset=utf-8\r\nX-A:  b \r\n")]
        }) { server in
            let response = try await client.send(.get(server.url("/a"), headers: [("Accept", "application/json")]))
            #expect(response.status == 400)
            #expect(response.body == Array(#"{"error":"x"}"#.utf8))
            #expect(response.header("x-a") == "b")
            #expect(response.isJSON)
            let request = try #require(server.requests.first)
            #expect(request.head.hasPrefix("GET /a HTTP/1.1\r\n"))
            #expect(request.header("accept") == "application/json")
            #expect(request.header("user-agent") == "login-gateway")
            #expect(request.header("cookie") == nil)
        }
    }

    @Test("a form arrives as one body, strictly encoded, without waiting for 100")
    func form() async throws {
        let client = LocalClient()
        try await ScriptedServer.with({ _ in [.answer()] }) { server in
            _ = try await client.send(.form(server.url("/token"), [("code", "a+b c|d&e"), ("x", "~é")]))
            let request = try #require(server.requests.first)
            #expect(request.head.hasPrefix("POST /token HTTP/1.1\r\n"))
            #expect(request.header("content-type") == "application/x-www-form-urlencoded")
            #expect(request.header("expect") == nil)
            #expect(request.header("transfer-encoding") == nil)
            #expect(String(decoding: request.body, as: UTF8.self) == "code=a%2Bb%20c%7Cd%26e&x=~%C3%A9")
        }
    }

    @Test("a name below localhost means this machine, without DNS")
    func nameBelowLocalhost() async throws {
        let client = LocalClient()
        try await ScriptedServer.with({ _ in [.answer()] }) { server in
            let response = try await client.send(.get("http://apple.localhost:\(server.port)/apple/auth/keys"))
            #expect(response.status == 200)
            #expect(server.requests.first?.header("host") == "apple.localhost:\(server.port)")
        }
    }

    @Test("a form without fields is a POST with an empty body")
    func emptyForm() async throws {
        let client = LocalClient()
        try await ScriptedServer.with({ _ in [.answer()] }) { server in
            _ = try await client.send(.form(server.url(), []))
            #expect(server.requests.first?.header("content-length") == "0")
        }
    }

    @Test("twenty sequential requests share one connection")
    func reuse() async throws {
        let client = LocalClient()
        try await ScriptedServer.with({ _ in [.answer()] }) { server in
            for index in 0..<20 {
                let request: HTTPRequest =
                    index.isMultiple(of: 2) ? .get(server.url()) : .form(server.url(), [("a", "b")])
                _ = try await client.send(request)
            }
            #expect(server.connectionCount == 1)
            #expect(server.requests.count == 20)
        }
    }

    @Test("64 concurrent requests each get their own answer")
    func concurrent() async throws {
        let client = LocalClient()
        try await ScriptedServer.with({ [.answer(200, $0.target)] }) { server in
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for index in 0..<64 {
                    let url = server.url("/\(index)")
                    group.addTask { try await client.send(.get(url)).body == Array("/\(index)".utf8) }
                }
                for try await isRight in group { #expect(isRight) }
            }
            #expect(Set(server.requests.map(\.target)).count == 64)
            #expect(server.connectionCount <= 64)
        }
    }

    @Test("J-25: a redirection is refused and its target never called", arguments: [300, 301, 302, 303, 304, 307, 308])
    func redirection(status: Int) async throws {
        let client = LocalClient()
        try await ScriptedServer.with({ request in
            [.answer(status, "", headers: "Location: http://127.0.0.1:\(request.header("Host") ?? "")/elsewhere\r\n")]
        }) { server in
            await #expect(throws: TransferError.redirectRefused) { try await client.send(.get(server.url())) }
            #expect(server.requests.count == 1)
        }
    }

    @Test("headers of an interim answer are discarded")
    func interim() async throws {
        let client = LocalClient()
        try await ScriptedServer.with({ _ in
            [.send("HTTP/1.1 103 Early Hints\r\nX-A: early\r\n\r\n"), .answer(200, "x", headers: "X-A: final\r\n")]
        }) { server in
            let response = try await client.send(.get(server.url()))
            #expect(response.headers.filter { $0.name == "X-A" }.map(\.value) == ["final"])
        }
    }

    @Test("a body that ends with the connection is complete")
    func untilClose() async throws {
        let client = LocalClient()
        try await ScriptedServer.with({ _ in [.send("HTTP/1.1 200 OK\r\n\r\nabc"), .close] }) { server in
            let response = try await client.send(.get(server.url()))
            #expect(response.body == Array("abc".utf8))
        }
    }

    @Test("a closed port gives connectFailed")
    func refusedConnection() async throws {
        let server = ScriptedServer { _ in [] }
        let url = server.url()
        server.stop()
        await #expect(throws: TransferError.connectFailed) { try await LocalClient().send(.get(url)) }
    }

    @Test("an unknown host gives resolveFailed")
    func unknownHost() async throws {
        let error = await #expect(throws: TransferError.self) {
            try await HTTPClient().send(.get("https://nothing-here.invalid/"))
        }
        #expect(error == .resolveFailed || error == .connectTimedOut)
    }
}
