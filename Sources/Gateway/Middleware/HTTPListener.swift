import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle

/// One listening address and what answers there, as a service of the process.
struct HTTPListener: Service {
    /// Answers one request.
    typealias Answer = @Sendable (Request, SocketAddress?) async -> RequestShell.Outcome

    /// What the listener may be asked to bear.
    struct Limits: Sendable {
        var maximumConnections: Int
        /// A connection on which nothing is asked, or whose request has stalled, is closed after this long; it is also
        /// how long the head of a request may take.
        var idleSeconds: Int64 = 30
        /// Connections that wait in the kernel to be accepted.
        var backlog = 4_096
        /// Connections accepted at one go.
        var acceptBurst: UInt = 512
    }

    private let host: String
    private let port: Int
    private let limits: Limits
    private let logger: Logger
    private let answer: Answer
    private let onListening: @Sendable (Int) async -> Void

    /// - Parameters:
    ///   - host: where to listen.
    ///   - port: the port, 0 for any free one.
    ///   - limits: what to bear.
    ///   - logger: for lines about the listener, not about requests.
    ///   - answer: answers one request.
    ///   - onListening: called with the real port once connections are accepted.
    init(
        host: String, port: Int, limits: Limits, logger: Logger, answer: @escaping Answer,
        onListening: @escaping @Sendable (Int) async -> Void = { _ in }
    ) {
        self.host = host
        self.port = port
        self.limits = limits
        self.logger = logger
        self.answer = answer
        self.onListening = onListening
    }

    /// Listens until told to stop; requests in flight are answered first.
    ///
    /// - Throws: ``StartError`` when the address can't be listened on.
    func run() async throws {
        do {
            try await server().run()
        } catch let error as IOError {
            throw StartError(error, host: host, port: port)
        } catch let error as NIOCore.SocketAddressError {
            throw StartError.addressUnknown(host: host, reason: "\(error)")
        }
    }

    private func server() throws -> any Service {
        let builder = HTTPServerBuilder.http1(
            configuration: .init(
                idleTimeout: .seconds(limits.idleSeconds),
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: 16_384, maxHeaderListSize: 32_768, maxHeaderFieldCount: 100)))
        return try builder.buildServer(
            configuration: .init(
                address: .hostname(host, port: port), backlog: limits.backlog,
                availableConnectionsDelegate: MaximumAvailableConnections(limits.maximumConnections, logger: logger)),
            eventLoopGroup: EventLoopGroupProvider.singleton.eventLoopGroup,
            logger: logger
        ) { [answer] request, writer, channel in
            let outcome = await answer(request, channel.remoteAddress)
            try await writer.write(response: outcome.response.head, body: outcome.response.body)
            if outcome.closesConnection { Self.closeSoon(channel) }
        } onServerRunning: { channel in
            try? await channel.setOption(ChannelOptions.maxMessagesPerRead, value: limits.acceptBurst).get()
            await onListening(channel.localAddress?.port ?? port)
        }
    }

    /// Leaves a moment to read the answer: closing at once, with bytes unread, would make the kernel throw it away.
    private static func closeSoon(_ channel: any Channel) {
        channel.eventLoop.scheduleTask(in: .milliseconds(500)) { channel.close(promise: nil) }
    }
}

/// Why the server could not start to listen, as a sentence for the operator.
enum StartError: Error, Equatable, CustomStringConvertible {
    case portInUse(host: String, port: Int)
    case portNotPermitted(host: String, port: Int)
    case addressUnknown(host: String, reason: String)

    init(_ error: IOError, host: String, port: Int) {
        switch error.errnoCode {
        case EADDRINUSE: self = .portInUse(host: host, port: port)
        case EACCES, EPERM: self = .portNotPermitted(host: host, port: port)
        default: self = .addressUnknown(host: host, reason: "errno \(error.errnoCode)")
        }
    }

    var description: String {
        switch self {
        case .portInUse(let host, let port): "Port \(port) on \(host) is in use by another program."
        case .portNotPermitted(let host, let port):
            "Listening on port \(port) of \(host) is not permitted to this user."
        case .addressUnknown(let host, let reason): "\(host) is no address to listen on (\(reason))."
        }
    }
}
