import JSON
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import HTTPServer

@Suite("Graceful stop with TLS", .timeLimit(.minutes(30)))
struct GracefulHTTP2Tests {
    /// Whether the server accepts a new connection.
    private static func isOpen(_ server: SecureListener) async throws -> Bool {
        try await Tool.curl(port: server.port, trusting: server.pair.certificate).exitCode == 0
    }

    @Test("a request in flight is answered, GOAWAY is sent, and the server ends")
    func inFlight() async throws {
        let (held, release) = AsyncStream<Void>.makeStream()
        let (arrivals, arrived) = AsyncStream<Void>.makeStream()
        let answer: HTTPListener.Answer = { _, _ in
            arrived.yield()
            for await _ in held {}
            return .init(response: .json(["a": 1]))
        }
        try await SecureListener.run(answer) { server in
            var client = try await HTTP2Client(server)
            try await client.request(1)
            for await _ in arrivals { break }
            await server.stop()
            // The first GOAWAY does not name the last stream, the second does.
            for last: UInt8 in [255, 1] {
                #expect(try await client.next { $0.kind == .goodbye }?.payload[3] == last)
            }
            release.finish()
            #expect(try await client.answer(1).isOK)
            #expect(try await client.isClosed())
            try await poll(within: .seconds(30)) { try await Self.isOpen(server) ? nil : () }
        }
    }

    @Test("inactive connections delay nothing: idle, in their handshake, or ignoring GOAWAY")
    func idleOnes() async throws {
        let started = ContinuousClock.now
        var limits = SecureListener.limits
        limits.farewellSeconds = 5
        try await SecureListener.run(limits: limits) { server in
            let silent = try await ClientBootstrap.patient
                .connect(host: "127.0.0.1", port: server.port).get()
            var deaf = try await HTTP2Client(server, isPolite: false)
            try await deaf.request(1)
            #expect(try await deaf.answer(1).isOK)
            var idle = try await SecureClient(
                port: server.port, trusting: server.pair.certificate, protocols: ["http/1.1"])
            try await idle.send(Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
            #expect(await idle.receive(until: #"{"a":1}"#) != nil)
            await server.stop()
            #expect(await idle.receive(1) == nil)
            #expect(try await deaf.isClosed())
            try await silent.closeFuture.get()
        }
        // Five seconds for the client that ignores GOAWAY, and the rest for a slow machine.
        #expect(ContinuousClock.now - started < .seconds(90))
    }
}
