import Foundation
import HTTPTypes
import Hummingbird
import JSON
import Postgres
import Settings
import Testing

@testable import HTTPServer

@Suite("Visitors behind proxies")
struct ForwardedClientTests {
    private static func proxies(_ texts: [String], _ header: ForwardedHeader = .xForwardedFor) throws -> ForwardedClient
    {
        ForwardedClient(proxies: try texts.map { try #require(NetworkRange($0)) }, header: header)
    }

    private static func headers(_ name: String, _ lines: [String]) throws -> HTTPFields {
        var headers = HTTPFields()
        for line in lines { headers.append(HTTPField(name: try #require(.init(name)), value: line)) }
        return headers
    }

    @Test(
        "the right-most address outside our proxies is the visitor, with any address before it",
        arguments: [
            ("10.0.0.1", ["203.0.113.9"], "203.0.113.9"),
            ("10.0.0.1", ["6.6.6.6, 203.0.113.9"], "203.0.113.9"),
            ("10.0.0.1", ["6.6.6.6", "203.0.113.9"], "203.0.113.9"),
            ("10.0.0.1", ["6.6.6.6, 203.0.113.9, 10.9.9.9, 10.0.0.2"], "203.0.113.9"),
            ("10.0.0.1", ["10.9.9.9,10.0.0.2"], "10.9.9.9"),
            ("10.0.0.1", ["203.0.113.9:4711"], "203.0.113.9"),
            ("10.0.0.1", ["[2001:db8::7]:4711"], "2001:db8::7"),
            ("10.0.0.1", ["2001:db8::7"], "2001:db8::7"),
            ("::ffff:10.0.0.1", ["203.0.113.9"], "203.0.113.9"),
            ("fd00::5", ["203.0.113.9"], "203.0.113.9"),
            // Not one of our proxies, so its header has no effect.
            ("203.0.113.1", ["6.6.6.6"], "203.0.113.1"),
            ("fe00::5", ["6.6.6.6"], "fe00::5"),
            // An unreadable entry ends at the proxy that sent it.
            ("10.0.0.1", ["6.6.6.6, unknown"], "10.0.0.1"),
            ("10.0.0.1", ["6.6.6.6, 999.1.1.1, 10.0.0.2"], "10.0.0.2"),
            ("10.0.0.1", ["6.6.6.6,"], "10.0.0.1"), ("10.0.0.1", [""], "10.0.0.1"), ("10.0.0.1", [], "10.0.0.1"),
            ("10.0.0.1", ["203.0.113.9:"], "10.0.0.1"), ("10.0.0.1", ["[2001:db8::7"], "10.0.0.1"),
            ("10.0.0.1", ["fe80::1%eth0"], "10.0.0.1"), ("10.0.0.1", ["<script>"], "10.0.0.1"),
        ] as [(String, [String], String)])
    func xForwardedFor(peer: String, lines: [String], client: String) throws {
        let proxies = try Self.proxies(["10.0.0.0/8", "fd00::/8"])
        #expect(proxies.visitor(peer: peer, headers: try Self.headers("X-Forwarded-For", lines)).address == client)
        #expect(proxies.visitor(peer: peer, headers: try Self.headers("Forwarded", ["for=6.6.6.6"])).address == peer)
    }

    @Test(
        "RFC 7239: the same holds for its own header",
        arguments: [
            (["for=192.0.2.43"], "192.0.2.43"),
            (["for=192.0.2.60;proto=http;by=203.0.113.43"], "192.0.2.60"),
            (["for=6.6.6.6, for=198.51.100.17"], "198.51.100.17"),
            (["for=6.6.6.6", "FOR=198.51.100.17 ; proto=https"], "198.51.100.17"),
            ([#"For="[2001:db8:cafe::17]:4711""#], "2001:db8:cafe::17"),
            ([#"for="_gazonk""#], "10.0.0.1"), (["for=unknown"], "10.0.0.1"),
            ([#"for="6.6.6.6, for=7.7.7.7""#], "10.0.0.1"), (["for=6.6.6.6;for=7.7.7.7"], "10.0.0.1"),
            (["proto=https"], "10.0.0.1"), (["6.6.6.6"], "10.0.0.1"),
        ] as [([String], String)])
    func forwarded(lines: [String], client: String) throws {
        let proxies = try Self.proxies(["10.0.0.1"], .forwarded)
        #expect(proxies.visitor(peer: "10.0.0.1", headers: try Self.headers("Forwarded", lines)).address == client)
        let others = try Self.headers("X-Forwarded-For", ["6.6.6.6"])
        #expect(proxies.visitor(peer: "10.0.0.1", headers: others).address == "10.0.0.1")
    }

    @Test(
        "3-R8: X-Forwarded-Proto counts from our own proxies, if every entry is https",
        arguments: [
            ("10.0.0.1", ["https"], true), ("10.0.0.1", ["HTTPS"], true), ("10.0.0.1", [" https "], true),
            ("10.0.0.1", ["http"], false), ("10.0.0.1", [""], false), ("10.0.0.1", ["https, http"], false),
            ("10.0.0.1", ["https,https"], true), ("10.0.0.1", ["https", "HTTPS , https"], true),
            ("10.0.0.1", ["https", "http"], false), ("10.0.0.1", ["http,https"], false),
            ("10.0.0.1", ["https,"], false), ("10.0.0.1", ["https,,https"], false), ("10.0.0.1", ["httpss"], false),
            ("10.0.0.1", ["wss"], false),
            ("10.0.0.1", [], nil), ("203.0.113.1", ["https"], nil), ("203.0.113.1", ["http"], nil),
        ] as [(String, [String], Bool?)])
    func xForwardedProto(peer: String, lines: [String], isSecure: Bool?) throws {
        let headers = try Self.headers("X-Forwarded-Proto", lines)
        #expect(try Self.proxies(["10.0.0.0/8"]).visitor(peer: peer, headers: headers).isSecure == isSecure)
        // These proxies would use the other header.
        #expect(try Self.proxies(["10.0.0.0/8"], .forwarded).visitor(peer: peer, headers: headers).isSecure == nil)
    }

    @Test(
        "RFC 7239: our outermost proxy states the visitor's protocol",
        arguments: [
            ("10.0.0.1", ["for=203.0.113.9;proto=https"], true), ("10.0.0.1", ["proto=https"], true),
            ("10.0.0.1", [#"for=203.0.113.9;PROTO="HTTPS""#], true),
            ("10.0.0.1", ["for=203.0.113.9;proto=http"], false),
            ("10.0.0.1", ["for=203.0.113.9;proto=https;proto=https"], false),
            ("10.0.0.1", ["for=203.0.113.9;proto=http;proto=https"], false),
            ("10.0.0.1", [#"for=203.0.113.9;by="x;proto=https""#], nil), ("10.0.0.1", ["for=203.0.113.9"], nil),
            ("10.0.0.1", [], nil),
            // Plain http is usual between two of our proxies.
            ("10.0.0.1", ["for=203.0.113.9;proto=https, for=10.0.0.2;proto=http"], true),
            ("10.0.0.1", ["for=203.0.113.9;proto=http, for=10.0.0.2;proto=https"], false),
            ("10.0.0.1", ["for=203.0.113.9;proto=https", "for=10.0.0.2;proto=http"], true),
            // The visitor may have written the earlier part.
            ("10.0.0.1", ["for=6.6.6.6;proto=https, for=203.0.113.9;proto=http"], false),
            ("10.0.0.1", ["for=6.6.6.6;proto=https, for=203.0.113.9"], nil),
            ("10.0.0.1", ["for=6.6.6.6;proto=https, for=_hidden;proto=http"], false),
            ("10.0.0.1", ["for=6.6.6.6;proto=http, for=_hidden;proto=https"], true),
            ("203.0.113.1", ["for=203.0.113.9;proto=https"], nil),
        ] as [(String, [String], Bool?)])
    func forwardedProto(peer: String, lines: [String], isSecure: Bool?) throws {
        let headers = try Self.headers("Forwarded", lines)
        #expect(try Self.proxies(["10.0.0.0/8"], .forwarded).visitor(peer: peer, headers: headers).isSecure == isSecure)
        #expect(try Self.proxies(["10.0.0.0/8"]).visitor(peer: peer, headers: headers).isSecure == nil)
    }

    @Test(
        "a request is secure over our TLS, or if our proxy states it, and the proxy has precedence",
        arguments: [
            (false, "203.0.113.1", nil, false), (false, "203.0.113.1", "https", false), (false, "10.0.0.1", nil, false),
            (false, "10.0.0.1", "https", true), (false, "10.0.0.1", "http", false), (true, "203.0.113.1", nil, true),
            (true, "203.0.113.1", "http", true), (true, "10.0.0.1", nil, true), (true, "10.0.0.1", "https", true),
            (true, "10.0.0.1", "http", false),
        ] as [(Bool, String, String?, Bool)])
    func secureRequests(speaksTLS: Bool, peer: String, said: String?, isSecure: Bool) async throws {
        let shell = try TestShell(proxies: "10.0.0.0/8", speaksTLS: speaksTLS) { router in
            router.get("secure") { _, context in Response.json(.bool(context.isSecure)) }
        }
        let headers = try Self.headers("X-Forwarded-Proto", said.map { [$0] } ?? [])
        let outcome = await shell.send(.get, "/secure", headers: headers, from: peer)
        #expect(try await outcome.response.json == .bool(isSecure))
    }

    @Test(
        "a network contains exactly its addresses",
        arguments: [
            ("10.0.0.0/8", "10.255.255.255", true), ("10.0.0.0/8", "11.0.0.0", false), ("10.0.0.0/8", "::a00:1", false),
            ("192.0.2.7", "192.0.2.7", true), ("192.0.2.7", "192.0.2.8", false), ("0.0.0.0/0", "203.0.113.9", true),
            ("0.0.0.0/0", "2001:db8::1", false), ("::/0", "203.0.113.9", true),
            ("2001:db8::/33", "2001:db8:7fff::1", true),
            ("2001:db8::/33", "2001:db8:8000::1", false), ("2001:db8::/64", "2001:db8::ffff:1", true),
            ("2001:db8::/65", "2001:db8::8000:0:0:1", false), ("2001:db8::1/128", "2001:db8::1", true),
        ])
    func networks(range: String, address: String, isIn: Bool) throws {
        #expect(try #require(NetworkRange(range)).contains(try #require(NetworkAddress(address))) == isIn)
    }

    @Test(
        "a malformed network is refused",
        arguments: [
            "", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/08", "10.1.2.3/8", "10.0.0/8", "fd00::1/8", "x/8",
        ])
    func noNetworks(text: String) {
        #expect(NetworkRange(text) == nil)
    }

    @Test("only a trusted proxy sets the visitor of sessions and throttles")
    func sessions() async throws {
        for (setting, visitor) in [("127.0.0.0/8,::1", "203.0.113.9"), (nil, "127.0.0.1")] {
            try await withGateway(["TRUSTED_PROXIES": setting]) { gateway in
                let minted = try await gateway.simulator.mint("apple", [:])
                let body: JSON = [
                    "provider": "apple", "client_id": "app", "credential": .object(minted.credential()),
                ]
                let request = TestRequest("POST", "/v1/sign-in").json(body)
                    .header("X-Forwarded-For", "6.6.6.6, 203.0.113.9")
                let session = try SignedInAnswer(try await gateway.send(request))
                let id = try #require(UUID(uuidString: session.session))
                let stored = try await gateway.sql {
                    try $0.queryOne("select address from sessions where id = \(id)")?.value(0, as: String.self)
                }
                #expect(stored == visitor)
            }
        }
    }
}

@Suite("The Host of a request", .gateway(["TRUSTED_PROXIES": "127.0.0.0/8,::1"]))
struct HostTests {
    @Test("no address is built from it: PUBLIC_URL is the only source")
    func metadata() async throws {
        let path = "/.well-known/openid-configuration"
        let gateway = try GatewayProcess.current
        let plain = try await gateway.get(path)
        let spoofed = try await gateway.client.sendRaw(
            Array(
                """
                GET \(path) HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\nX-Forwarded-Host: evil.example\r\n\
                X-Forwarded-Proto: https\r\nX-Forwarded-Port: 6666\r\nForwarded: host=evil.example;proto=https\r\n\r\n
                """.utf8))
        #expect(plain.status == 200)
        #expect(spoofed.status == 200)
        #expect(spoofed.body == plain.body)
        #expect(!spoofed.headers.contains { $0.value.contains("evil") || $0.value.contains("6666") })
    }
}
