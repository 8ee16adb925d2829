import Foundation
import Hummingbird
import HummingbirdCore
import HummingbirdHTTP2
import Logging
import NIOCore
import ServiceLifecycle
import Settings
import Synchronization

/// A listening address, as a service of the process.
struct HTTPListener: Service {
    /// Answers one request.
    typealias Answer = @Sendable (Request, SocketAddress?) async -> RequestShell.Outcome

    /// The limits of the listener.
    struct Limits: Sendable {
        var maximumConnections: Int
        /// The time limit for an idle connection, a stalled request, the head of a request and a TLS handshake.
        var idleSeconds: Int64 = 30
        /// The time limit for a client that does not read its answer.
        var readerSeconds: Int64 = 30
        /// The time limit for the answer to the PING after GOAWAY (HTTP/2).
        var farewellSeconds: Int64 = 5
        /// The time limit of a request over HTTP/2; for an answer in parts, the limit of each part.
        var streamSeconds: Int64 = 60
        /// The length of the kernel's accept queue.
        var backlog = 4_096
        /// The limit of connections per peer; `nil` for none.
        var peers: PeerLimit?
        /// Connections accepted per event.
        var acceptBurst: UInt = 512
    }

    private static let maximumFields = 100

    private let host: String
    private let port: Int
    private let setting: String
    private let publicURL: String
    private let certificate: ServedCertificate?
    private let limits: Limits
    private let drain: Drain
    private let logger: Logger
    private let answer: Answer
    private let onListening: @Sendable (Int) async -> Void

    /// - Parameters:
    ///   - host: where to listen.
    ///   - port: the port, 0 for any free one.
    ///   - setting: the name of the port's setting, for a port that can't be used.
    ///   - publicURL: our public address, for refusals that reach no handler.
    ///   - certificate: the certificate for TLS; `nil` for plain HTTP.
    ///   - limits: its limits.
    ///   - drain: the period for which it stays open after the signal to stop.
    ///   - logger: for lines about the listener, not about requests.
    ///   - answer: answers one request.
    ///   - onListening: called with the actual port once connections are accepted.
    init(
        host: String, port: Int, setting: String = ConfigurationKey.port.name, publicURL: String,
        certificate: ServedCertificate? = nil, limits: Limits,
        drain: Drain = Drain(), logger: Logger, answer: @escaping Answer,
        onListening: @escaping @Sendable (Int) async -> Void = { _ in }
    ) {
        self.host = host
        self.port = port
        self.setting = setting
        self.publicURL = publicURL
        self.certificate = certificate
        self.limits = limits
        self.drain = drain
        self.logger = logger
        self.answer = answer
        self.onListening = onListening
    }

    /// Listens until the end of the drain, and returns once requests in flight are answered.
    ///
    /// - Throws: ``StartError`` if it cannot listen on the address.
    func run() async throws {
        guard let certificate else { return try await serve(plain) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await certificate.watch() }
            try await serve(secure(certificate))
            group.cancelAll()
        }
    }

    private func serve(_ builder: HTTPServerBuilder) async throws {
        try await StartError.naming(host, port, setting) { try await run(builder) }
    }

    /// Runs the framework's server in its own service group, which stops after the drain.
    private func run(_ builder: HTTPServerBuilder) async throws {
        let socket = ListeningSocket()
        let server = try server(builder) { channel in socket.channel.withLock { $0 = channel } }
        let group = ServiceGroup(
            configuration: .init(
                services: [.init(service: server)], gracefulShutdownSignals: [], logger: logger))
        // Detached, because a child task would stop at once.
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

    /// Accepts the connections in the accept queue, then closes the listener.
    private static func emptyQueue(of socket: any Channel) async {
        await ListenQueue.close(socket)
        try? await Task.sleep(for: .milliseconds(100))
    }

    private var http1: HTTP1Channel.Configuration {
        .init(
            additionalChannelHandlers: [SlowReader(.seconds(limits.readerSeconds))],
            idleTimeout: .seconds(limits.idleSeconds),
            httpDecoderConfiguration: .init(
                // Twice what ``RequestShell`` takes, so that it can refuse what a browser sends with a page.
                maxHeaderFieldSize: 2 * RequestShell.mostHeaderBytes,
                maxHeaderListSize: 2 * RequestShell.mostHeaderBytes, maxHeaderFieldCount: Self.maximumFields))
    }

    private var plain: HTTPServerBuilder {
        HTTPServerBuilder { [http1, limits, drain, publicURL] responder in
            OnEventLoop(
                base: EndingHTTP1Channel(
                    base: HTTP1Channel(responder: responder, configuration: http1), drain: drain,
                    publicURL: publicURL),
                peers: limits.peers)
        }
    }

    private func secure(_ certificate: ServedCertificate) -> HTTPServerBuilder {
        let streams = HTTP2Streams(
            answer: answer, open: LoadShedding(limit: limits.maximumConnections), maximumFields: Self.maximumFields,
            lifetime: .seconds(limits.streamSeconds), publicURL: publicURL)
        let http2 = HTTP2Channel(
            responder: streams.respond,
            configuration: .init(
                idleTimeout: .seconds(limits.idleSeconds), gracefulCloseTimeout: .seconds(limits.streamSeconds),
                streamConfiguration: .init(idleTimeout: .seconds(limits.idleSeconds))))
        return HTTPServerBuilder { [http1, limits, drain, publicURL] responder in
            OnEventLoop(
                base: SecureChannel(
                    certificate: certificate,
                    http1: EndingHTTP1Channel(
                        base: HTTP1Channel(responder: responder, configuration: http1), drain: drain,
                        publicURL: publicURL),
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
            // After an answer with `Connection: close`, no later request may have an effect (RFC 9112 section 9.6).
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
