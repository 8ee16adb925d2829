import Hummingbird
import NIOCore
import NIOEmbedded
import Settings
import TestSupport
import Testing

@testable import HTTPServer

@Suite("Connections of one peer", .timeLimit(.minutes(30)))
struct PeerLimitTests {
    private static func channel(from peer: String) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel()
        channel.remoteAddress = try SocketAddress(ipAddress: peer, port: 1_024)
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/nowhere")).wait()
        channel.remoteAddress = try SocketAddress(ipAddress: peer, port: 1_024)
        return channel
    }

    private static func close(_ channel: EmbeddedChannel) throws {
        _ = try channel.finish()
        channel.embeddedEventLoop.run()
    }

    @Test("F10: a peer has a limited share; a closed connection frees its place")
    func share() throws {
        let limit = PeerLimit(limit: 2)
        let held = try [Self.channel(from: "198.51.100.7"), Self.channel(from: "::ffff:198.51.100.7")]
        #expect(held.allSatisfy(limit.admit))
        #expect(try !limit.admit(Self.channel(from: "198.51.100.7")))
        #expect(try limit.admit(Self.channel(from: "198.51.100.8")))
        try Self.close(held[0])
        #expect(try limit.admit(Self.channel(from: "198.51.100.7")))
        try Self.close(held[1])
        #expect(limit.count == 2)
    }

    @Test("F10: an IPv6 /64 is one peer")
    func prefix() throws {
        let limit = PeerLimit(limit: 1)
        #expect(try limit.admit(Self.channel(from: "2001:db8:1:2::1")))
        #expect(try !limit.admit(Self.channel(from: "2001:db8:1:2:3::9")))
        #expect(try limit.admit(Self.channel(from: "2001:db8:1:3::1")))
    }

    @Test("F10: a trusted proxy is exempt")
    func proxy() throws {
        let proxies = ForwardedClient(proxies: [try #require(NetworkRange("10.0.0.0/8"))], header: .forwarded)
        let limit = PeerLimit(limit: 1, proxies: proxies)
        #expect(try (0..<9).allSatisfy { _ in try limit.admit(Self.channel(from: "10.0.0.1")) })
        #expect(try limit.admit(Self.channel(from: "11.0.0.1")))
        #expect(try !limit.admit(Self.channel(from: "11.0.0.1")))
    }

    @Test("F10: a connection beyond the share is closed and counted, and earlier ones continue")
    func server() async throws {
        let changes = ["MAXIMUM_CONNECTIONS_PER_PEER": "5"]
        try await withGateway(changes) { gateway in
            let isRefused = try await Self.holding(5, gateway.port) { try await Self.isRefused(gateway.port) }
            #expect(isRefused)
            try await poll(within: .seconds(30)) { try await Self.isRefused(gateway.port) ? nil : () }
        }
        try await withGateway(changes.merging(["TRUSTED_PROXIES": "127.0.0.1"]) { $1 }) { gateway in
            let isRefused = try await Self.holding(9, gateway.port) { try await Self.isRefused(gateway.port) }
            #expect(!isRefused)
        }
    }

    /// Holds connections that answer before and after the body.
    ///
    /// An answer shows that the server counts the connection: it may count them in another order than they came.
    private static func holding(_ count: Int, _ port: Int, body: () async throws -> Bool) async throws -> Bool {
        guard count > 0 else { return try await body() }
        return try await PlainListener.connect(to: port).executeThenClose { inbound, outbound in
            let request = ByteBuffer(string: "GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n")
            try await outbound.write(request)
            var result: Bool?
            for try await part in inbound where String(buffer: part).contains("HTTP/1.1 200") {
                if let result { return result }
                result = try await holding(count - 1, port, body: body)
                try await outbound.write(request)
            }
            return try #require(nil as Bool?, "The server closed a connection that it had admitted.")
        }
    }

    private static func isRefused(_ port: Int) async throws -> Bool {
        do {
            return try await TestClient(port: port).send(TestRequest("GET", "/health/live")).status != 200
        } catch is HarnessError {
            return true
        }
    }
}
