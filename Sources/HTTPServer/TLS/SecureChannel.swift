import HummingbirdCore
import HummingbirdHTTP2
import Logging
import NIOCore
import NIOHTTP2
import NIOSSL

/// Speaks TLS on each connection, then HTTP/2 or HTTP/1.1, as negotiated (ALPN, RFC 7301).
///
/// The framework's own channel keeps its first certificate, does not limit the handshake, and gives both protocols one
/// responder.
struct SecureChannel: ClosesUnserved {
    struct Value: ServerChildChannelValue {
        fileprivate typealias Negotiated = NIONegotiatedHTTPVersion<HTTP1Channel.Value, HTTP2Channel.Value>

        fileprivate let negotiated: EventLoopFuture<Negotiated>
        let channel: any Channel
    }

    let certificate: ServedCertificate
    let http1: EndingHTTP1Channel
    let http2: HTTP2Channel
    /// The time limit of the handshake.
    let patience: TimeAmount
    /// The time for which an HTTP/2 reader may leave waiting data unread.
    let readerPatience: TimeAmount
    /// The time limit for a client's answer to the PING after GOAWAY.
    let farewellPatience: TimeAmount

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(HandshakeDeadline(patience), name: HandshakeDeadline.name)
            try pipeline.addHandler(NIOSSLServerHandler(context: certificate.context))
        }.flatMap {
            channel.configureHTTP2AsyncSecureUpgrade { channel in
                setupHTTP1(channel, logger)
            } http2ConnectionInitializer: { channel in
                setupHTTP2(channel, logger)
            }
        }.map { Value(negotiated: $0, channel: channel) }
    }

    func handle(value: Value, logger: Logger) async {
        do {
            switch try await value.negotiated.get() {
            case .http1_1(let connection): await http1.handle(value: connection, logger: logger)
            case .http2(let connection): await http2.handle(value: connection, logger: logger)
            }
        } catch {
            logger.debug("no TLS connection came about", metadata: ["reason": "\(error)"])
        }
    }

    func closeUnserved(_ connection: Value) async {
        connection.channel.close(promise: nil)
    }

    private func setupHTTP1(_ channel: any Channel, _ logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        channel.pipeline.removeHandler(name: HandshakeDeadline.name).flatMap {
            http1.setup(channel: channel, logger: logger)
        }
    }

    private func setupHTTP2(_ channel: any Channel, _ logger: Logger) -> EventLoopFuture<HTTP2Channel.Value> {
        channel.pipeline.removeHandler(name: HandshakeDeadline.name).flatMap {
            http2.setup(channel: channel, logger: logger)
        }.flatMapThrowing { value in
            let pipeline = channel.pipeline.syncOperations
            let codec = try pipeline.handler(type: NIOHTTP2Handler.self)
            try pipeline.addHandlers(
                [HTTP2Farewell(patience: farewellPatience), SlowReader(readerPatience)], position: .after(codec))
            return value
        }
    }
}
