import Hummingbird
import NIOCore
import Testing

@testable import HTTPServer

@Suite("An endless answer over TLS", .timeLimit(.minutes(30)))
struct SecureLongAnswerTests {
    private static let piece = ByteBuffer(repeating: 0x78, count: 50_000)

    /// Writes until an error, and reports it.
    private static func answer(_ ended: AsyncStream<any Error>.Continuation) -> HTTPListener.Answer {
        let body = ResponseBody { writer in
            do {
                while true { try await writer.write(Self.piece) }
            } catch {
                ended.yield(error)
                throw error
            }
        }
        return { _, _ in .init(response: Response(status: .ok, body: body)) }
    }

    @Test("ends with its HTTP/1.1 connection")
    func connectionGone() async throws {
        let (errors, ended) = AsyncStream<any Error>.makeStream()
        try await SecureListener.run(Self.answer(ended)) { server in
            var client = try await SecureClient(
                port: server.port, trusting: server.pair.certificate, protocols: ["http/1.1"])
            try await client.send(Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
            #expect(await client.receive(100_000) != nil)
            await client.close()
            for await _ in errors { break }
        }
    }

    @Test("ends with its HTTP/2 stream, for every window of its reader")
    func streamGone() async throws {
        let (errors, ended) = AsyncStream<any Error>.makeStream()
        try await SecureListener.run(Self.answer(ended)) { server in
            // The largest possible window (RFC 9113 section 6.9.1), for each stream and for the connection.
            var client = try await HTTP2Client(server, settings: [(4, 0x7FFF_FFFF)])
            try await client.send(.init(.windowUpdate, [0x7F, 0xFF, 0, 0]))
            try await client.request(1)
            #expect(try await client.next { $0.kind == .data } != nil)
            try await client.send(.init(.reset, stream: 1, [0, 0, 0, 8]))
            for await _ in errors { break }
        }
    }
}
