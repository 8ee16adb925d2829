import Hummingbird
import Logging
import NIOCore
import Settings

/// What a request carries from the door to its handler.
struct GatewayContext: RequestContext {
    typealias Source = GatewayRequestSource

    var coreContext: CoreRequestContextStorage
    /// Names the request in logs, audit rows and problem documents: made here, with the caller's `X-Request-Id` behind it.
    let requestID: String
    /// When the head had arrived.
    let received: ContinuousClock.Instant
    /// When the answer is due.
    ///
    /// What takes longer is cancelled; long steps may look here and stop earlier.
    let deadline: ContinuousClock.Instant
    /// Whether the visitor's own connection is https: this server's, or one to a proxy of ours that says so.
    let isSecure: Bool
    private let remoteAddress: SocketAddress?
    private let forwardedAddress: String?
    private var plainLogger: Logger

    init(source: GatewayRequestSource) {
        coreContext = .init(source: source)
        plainLogger = source.logger
        requestID = source.requestID
        received = source.received
        deadline = source.deadline
        isSecure = source.isSecure
        remoteAddress = source.remoteAddress
        forwardedAddress = source.forwardedAddress
    }

    /// The request's id, under the name that Hummingbird uses.
    var id: String { requestID }

    /// A logger whose lines carry the request's id; made when somebody asks, since most requests log nothing.
    var logger: Logger {
        get {
            var logger = plainLogger
            logger[metadataKey: "request_id"] = .string(requestID)
            return logger
        }
        set { plainLogger = newValue }
    }

    /// The visitor's IP address in its one spelling: the peer's, or what our own proxy says of it; `nil` over a Unix socket.
    ///
    /// A listener for both families is told of IPv4 peers as `::ffff:198.51.100.7`.
    var clientAddress: String? { (forwardedAddress ?? remoteAddress?.ipAddress).map(NetworkAddress.canonical) }

    /// The route as it was registered, `/v1/account/sessions/{id}`, or `nil` when none matched.
    var routeTemplate: String? {
        guard let path = coreContext.endpointPath.value, path != "NotFound" else { return nil }
        return path
    }
}

/// What a ``GatewayContext`` is made from.
struct GatewayRequestSource: RequestContextSource {
    let logger: Logger
    let requestID: String
    let received: ContinuousClock.Instant
    let deadline: ContinuousClock.Instant
    let remoteAddress: SocketAddress?
    /// What our own proxies say of the visitor, where there are any.
    let forwardedAddress: String?
    let isSecure: Bool
}
