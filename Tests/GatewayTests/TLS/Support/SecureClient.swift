import NIOCore
import NIOPosix
import NIOSSL

/// A TLS connection for raw bytes.
struct SecureClient: Sendable {
    private let channel: any Channel
    private let parts: AsyncStream<ByteBuffer>
    private var received = ByteBuffer()

    /// Opens a connection; the server's end or ``close()`` closes it.
    ///
    /// - Parameter protocols: the ALPN offer.
    init(port: Int, trusting certificate: String, protocols: [String]) async throws {
        var configuration = NIOSSL.TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .file(certificate)
        configuration.applicationProtocols = protocols
        let context = try NIOSSLContext(configuration: configuration)
        let (parts, arrivals) = AsyncStream<ByteBuffer>.makeStream()
        self.parts = parts
        channel = try await ClientBootstrap.patient
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers(
                        NIOSSLClientHandler(context: context, serverHostname: "localhost"), Collector(arrivals))
                }
            }.connect(host: "127.0.0.1", port: port).get()
    }

    func close() async {
        try? await channel.close().get()
    }

    func send(_ bytes: [UInt8]) async throws {
        try await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get()
    }

    /// That many bytes; `nil` if the server closed before.
    mutating func receive(_ count: Int) async -> [UInt8]? {
        while received.readableBytes < count {
            guard let part = await parts.first(where: { _ in true }) else { return nil }
            received.writeImmutableBuffer(part)
        }
        return received.readBytes(length: count)
    }

    /// Everything up to a text; `nil` if the server closed before.
    mutating func receive(until end: String) async -> String? {
        while true {
            let text = String(buffer: received)
            if text.contains(end) {
                received.clear()
                return text
            }
            guard let part = await parts.first(where: { _ in true }) else { return nil }
            received.writeImmutableBuffer(part)
        }
    }

    /// Everything up to the end of the connection.
    func receiveAll() async -> [UInt8] {
        await parts.reduce(into: Array(received.readableBytesView)) { $0 += $1.readableBytesView }
    }
}

/// Collects received bytes; a reset connection ends like any other.
private final class Collector: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let arrivals: AsyncStream<ByteBuffer>.Continuation

    init(_ arrivals: AsyncStream<ByteBuffer>.Continuation) {
        self.arrivals = arrivals
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        arrivals.yield(unwrapInboundIn(data))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        arrivals.finish()
    }
}
