import TestSupport
import Testing

@testable import Outbound

@Suite(.timeLimit(.minutes(10)))
struct RequestRulesTests {
    @Test(
        "an illegal header, or one reserved for the client, is refused before sending",
        arguments: [
            ("X-A", "b\r\nX-Evil: 1"), ("X-A", "b\nc"), ("X-A", "b\rc"), ("X-A", "b\u{0}c"), ("X-A", "b\tc"),
            ("X-A", "é"),
            ("X-A", "\u{7F}"), ("X-A", ""), ("X-A", " b"), ("X-A", "b "), ("X-A", String(repeating: "x", count: 8193)),
            ("X-A\r\nX-Evil", "b"), ("X A", "b"), ("X-A:", "b"), ("", "b"), ("X-Ä", "b"), ("X-A;", "b"),
            ("Host", "evil.example"), ("content-length", "0"), ("Transfer-Encoding", "chunked"),
            ("Connection", "close"),
            ("Expect", "100-continue"), ("Cookie", "a=b"), ("Proxy-Authorization", "Basic 123"),
        ])
    func badHeader(name: String, value: String) async throws {
        let client = LocalClient()
        try await ScriptedServer.with({ _ in [.answer()] }) { server in
            let error = await #expect(throws: TransferError.self) {
                try await client.send(.get(server.url(), headers: [(name, value)]))
            }
            guard case .invalidRequest(let reason) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(value.isEmpty || !reason.contains(value))
            #expect(server.connectionCount == 0)
        }
    }

    @Test("tokens with every visible character pass")
    func goodHeader() async throws {
        let client = LocalClient()
        let value = String(decoding: UInt8(0x21)...0x7E, as: UTF8.self)
        try await ScriptedServer.with({ _ in [.answer()] }) { server in
            _ = try await client.send(.get(server.url(), headers: [("Authorization", "Bearer " + value)]))
            #expect(server.requests.first?.header("authorization") == "Bearer " + value)
        }
    }

    @Test("a GET has no body")
    func getWithBody() async {
        let request = HTTPRequest(method: .get, url: "https://example.com/", body: [1])
        await #expect(throws: TransferError.invalidRequest("body")) { try await HTTPClient().send(request) }
    }

    @Test(
        "without the flag, local addresses are refused",
        arguments: [
            ("http://127.0.0.1:1/", TransferError.invalidRequest("url scheme")),
            ("https://127.0.0.1:1/", .addressRefused), ("https://localhost:1/", .addressRefused),
            ("https://user@example.com/", .invalidRequest("url user-info")),
        ])
    func withoutFlag(url: String, expected: TransferError) async {
        await #expect(throws: expected) { try await HTTPClient().send(.get(url)) }
    }

    @Test(
        "only unreserved characters stay unencoded (RFC 3986 §2.3)",
        arguments: [
            ("AZaz09-._~", "AZaz09-._~"), ("a b", "a%20b"), ("a+b", "a%2Bb"), ("Atza|IQ", "Atza%7CIQ"),
            ("&=?#/", "%26%3D%3F%23%2F"),
            ("é", "%C3%A9"), ("😀", "%F0%9F%98%80"), ("\r\n\u{0}", "%0D%0A%00"), ("%41", "%2541"),
            ("*'()!", "%2A%27%28%29%21"), ("", ""),
        ])
    func encoding(text: String, expected: String) {
        #expect(FormEncoding.encode(text) == expected)
    }

    @Test("a query is appended to the URL's own query")
    func query() {
        #expect(HTTPRequest.get("https://a/b", query: [("c", "d|"), ("e", "")]).url == "https://a/b?c=d%7C&e=")
        #expect(HTTPRequest.get("https://a/b?x=1", query: [("c", "d")]).url == "https://a/b?x=1&c=d")
        #expect(HTTPRequest.get("https://a/b?", query: [("c", "d")]).url == "https://a/b?c=d")
        #expect(HTTPRequest.get("https://a/b").url == "https://a/b")
    }

    @Test(
        "these content types are JSON",
        arguments: [
            ("application/json", true), ("Application/JSON; charset=UTF-8", true), ("application/problem+json", true),
            ("application/jwk-set+json;x=y", true), ("text/html", false), ("text/json", false),
            ("application/jsonp", false),
            ("application/javascript", false), ("text/html; a=application/json", false), ("", false),
            ("image/x+json", false),
        ])
    func jsonTypes(type: String, isJSON: Bool) {
        #expect(HTTPResponse(status: 200, headers: [("content-TYPE", type)]).isJSON == isJSON)
    }

    @Test("a missing content type is not JSON")
    func noType() {
        #expect(!HTTPResponse(status: 200).isJSON)
    }
}
