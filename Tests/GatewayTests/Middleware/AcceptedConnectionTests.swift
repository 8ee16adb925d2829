import Hummingbird
import HummingbirdCore
import HummingbirdHTTP2
import Logging
import NIOCore
import NIOPosix
import Testing

@testable import HTTPServer

@Suite("An accepted connection without a handler", .timeLimit(.minutes(30)))
struct AcceptedConnectionTests {
    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    private static let responder: HTTPChannelHandler.Responder = { _, writer, _ in
        try await writer.writeResponse(.init(status: .ok))
    }

    @Test("is closed, and the process continues")
    func plain() async throws {
        #expect(try await Self.bytes(from: OnEventLoop(base: HTTP1Channel(responder: Self.responder))) == 0)
    }

    @Test("is closed before its handshake is over")
    func secure() async throws {
        let folder = try CertificateFolder()
        let pair = try await folder.pair()
        defer { withExtendedLifetime(folder) {} }
        let channel = SecureChannel(
            certificate: try ServedCertificate(pair.files, interval: .seconds(600), logger: Self.logger),
            http1: EndingHTTP1Channel(
                base: HTTP1Channel(responder: Self.responder), drain: Drain(),
                publicURL: "http://localhost:8080"),
            http2: HTTP2Channel(responder: Self.responder),
            patience: .seconds(600), readerPatience: .seconds(600), farewellPatience: .seconds(600))
        #expect(try await Self.bytes(from: OnEventLoop(base: channel)) == 0)
    }

    /// The bytes that a client receives from a server that drops each connection after its set-up.
    private static func bytes<Base>(from kind: OnEventLoop<Base>) async throws -> Int {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { kind.setup(channel: $0, logger: logger).map { _ in } }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(server.localAddress?.port)
        let bytes = try await PlainListener.connect(to: port).executeThenClose { inbound, _ in
            try await inbound.reduce(0) { $0 + $1.readableBytes }
        }
        try await server.close()
        return bytes
    }
}
