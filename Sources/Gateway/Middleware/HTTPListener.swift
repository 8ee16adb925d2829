import Foundation
import Hummingbird
import HummingbirdCore
import HummingbirdHTTP2
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization

/// One listening address and what answers there, as a service of the process.
struct HTTPListener: Service {
    /// Answers one request.
    typealias Answer = @Sendable (Request, SocketAddress?) async -> RequestShell.Outcome

    /// What the listener may be asked to bear.
    struct Limits: Sendable {
        var maximumConnections: Int
        /// A connection on which nothing is asked, or whose request has stalled, is closed after this long; it is also
        /// how long the head of a request may take, and a TLS handshake.
        var idleSeconds: Int64 = 30
        /// A connection whose reader takes nothing of what waits for it is closed after this long.
        var readerSeconds: Int64 = 30
        /// How long the client of an HTTP/2 connection that is being ended may leave the PING behind GOAWAY unanswered.
        var farewellSeconds: Int64 = 5
        /// A request over HTTP/2 is given up after this long; where its answer is written in parts, after this long
        /// without one that its reader took.
        var streamSeconds: Int64 = 60
        /// Connections that wait in the kernel to be accepted.
        var backlog = 4_096
        /// Connections that one peer may have; `nil` for no bound.
        var peers: PeerLimit?
        /// Connections accepted at one go.
        var acceptBurst: UInt = 512
    }

    private static let maximumFields = 100

    private let host: String
    private let port: Int
    private let certificate: ServedCertificate?
    private let limits: Limits
    private let drain: Drain
    private let logger: Logger
    private let answer: Answer
    private let onListening: @Sendable (Int) async -> Void

    /// - Parameters:
    ///   - host: where to listen.
    ///   - port: the port, 0 for any free one.
    ///   - certificate: what TLS is spoken with; `nil` for plain HTTP.
    ///   - limits: what to bear.
    ///   - drain: how long it stays open when it is told to stop.
    ///   - logger: for lines about the listener, not about requests.
    ///   - answer: answers one request.
    ///   - onListening: called with the real port once connections are accepted.
    init(
        host: String, port: Int, certificate: ServedCertificate? = nil, limits: Limits, drain: Drain = Drain(),
        logger: Logger, answer: @escaping Answer,
        onListening: @escaping @Sendable (Int) async -> Void = { _ in }
    ) {
        self.host = host
        self.port = port
        self.certificate = certificate
        self.limits = limits
        self.drain = drain
        self.logger = logger
        self.answer = answer
        self.onListening = onListening
    }

    /// Listens until told to stop, and for the time of the drain; requests in flight are answered first.
    ///
    /// - Throws: ``StartError`` when the address can't be listened on.
    func run() async throws {
        guard let certificate else { return try await serve(plain) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await certificate.watch() }
            try await serve(secure(certificate))
            group.cancelAll()
        }
    }

    private func serve(_ builder: HTTPServerBuilder) async throws {
        do {
            try await run(builder)
        } catch let error as IOError {
            throw StartError(error, host: host, port: port)
        } catch let error as NIOCore.SocketAddressError {
            throw StartError.addressUnknown(host: host, reason: "\(error)")
        }
    }

    /// The framework stops a server at once: it runs in a group of its own, which hears of the stop after the drain.
    private func run(_ builder: HTTPServerBuilder) async throws {
        let socket = ListeningSocket()
        let server = try server(builder) { channel in socket.channel.withLock { $0 = channel } }
        let group = ServiceGroup(
            configuration: .init(
                services: [.init(service: server)], gracefulShutdownSignals: [], logger: logger))
        // Detached, because a child hears of the stop at once.
        let running = Task.detached { try await group.run() }
        try await withTaskCancellationHandler {
            try await withGracefulShutdownHandler {
                try await running.value
            } onGracefulShutdown: {
                Task { [drain] in
                    drain.begin()
                    try? await Task.sleep(for: drain.duration)
                    if let channel = socket.channel.withLock({ $0 }) { await Self.emptyQueue(of: channel) }
                    await group.triggerGracefulShutdown()
                }
            }
        } onCancel: {
            running.cancel()
        }
    }

    /// Accepts what the kernel took before it refuses the rest.
    private static func emptyQueue(of socket: any Channel) async {
        await ListenQueue.close(socket)
        try? await Task.sleep(for: .milliseconds(100))
    }

    private var http1: HTTP1Channel.Configuration {
        .init(
            additionalChannelHandlers: [SlowReader(.seconds(limits.readerSeconds))],
            idleTimeout: .seconds(limits.idleSeconds),
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: 16_384, maxHeaderListSize: 32_768, maxHeaderFieldCount: Self.maximumFields))
    }

    private var plain: HTTPServerBuilder {
        HTTPServerBuilder { [http1, limits, drain] responder in
            OnEventLoop(
                base: EndingHTTP1Channel(
                    base: HTTP1Channel(responder: responder, configuration: http1), drain: drain),
                peers: limits.peers)
        }
    }

    private func secure(_ certificate: ServedCertificate) -> HTTPServerBuilder {
        let streams = HTTP2Streams(
            answer: answer, open: LoadShedding(limit: limits.maximumConnections), maximumFields: Self.maximumFields,
            lifetime: .seconds(limits.streamSeconds))
        let http2 = HTTP2Channel(
            responder: streams.respond,
            configuration: .init(
                idleTimeout: .seconds(limits.idleSeconds), gracefulCloseTimeout: .seconds(limits.streamSeconds),
                streamConfiguration: .init(idleTimeout: .seconds(limits.idleSeconds))))
        return HTTPServerBuilder { [http1, limits, drain] responder in
            OnEventLoop(
                base: SecureChannel(
                    certificate: certificate,
                    http1: EndingHTTP1Channel(
                        base: HTTP1Channel(responder: responder, configuration: http1), drain: drain),
                    http2: http2, patience: .seconds(limits.idleSeconds),
                    readerPatience: .seconds(limits.readerSeconds),
                    farewellPatience: .seconds(limits.farewellSeconds)),
                peers: limits.peers)
        }
    }

    private func server(
        _ builder: HTTPServerBuilder, _ onSocket: @escaping @Sendable (any Channel) -> Void
    ) throws -> any Service {
        try builder.buildServer(
            configuration: .init(
                address: .hostname(host, port: port), backlog: limits.backlog,
                availableConnectionsDelegate: MaximumAvailableConnections(limits.maximumConnections, logger: logger)),
            eventLoopGroup: EventLoopGroupProvider.singleton.eventLoopGroup,
            logger: logger
        ) { [answer] request, writer, channel in
            if BodyLimit.isInvited(request) { try await writer.writeInformationalHead(.init(status: .continue)) }
            let outcome = await answer(request, channel.remoteAddress)
            try await writer.write(response: outcome.response.head, body: outcome.response.body.inTurns())
            // Who said that this answer is the last carries nothing out that came behind it (RFC 9112 section 9.6).
            if outcome.closesConnection { try? await channel.closeFuture.get() }
        } onServerRunning: { channel in
            onSocket(channel)
            try? await channel.setOption(ChannelOptions.maxMessagesPerRead, value: limits.acceptBurst).get()
            await onListening(channel.localAddress?.port ?? port)
        }
    }
}

/// The socket of a listener, once it listens.
private final class ListeningSocket: Sendable {
    let channel = Mutex<(any Channel)?>(nil)
}
