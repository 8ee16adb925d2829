package import Hummingbird
package import Logging
import NIOCore
import Settings
import Traces

/// The context of a request, from the listener to its handler.
package struct GatewayContext: RequestContext {
    package typealias Source = GatewayRequestSource

    package var coreContext: CoreRequestContextStorage
    /// The request's id in logs, audit rows and problem documents: made here, followed by the caller's `X-Request-Id`.
    package let requestID: String
    /// Its costs, and its spans if it is sampled.
    let trace: RequestTrace
    /// The time when the head had arrived.
    let received: ContinuousClock.Instant
    /// The deadline of the answer.
    ///
    /// Later work is cancelled; long steps may check it and stop earlier.
    let deadline: ContinuousClock.Instant
    /// Whether the visitor's connection is https: to this server, or to one of our proxies that states it.
    package let isSecure: Bool
    /// Our public address, for links in answers.
    let publicURL: String
    private let remoteAddress: SocketAddress?
    private let forwardedAddress: String?
    private var plainLogger: Logger

    package init(source: GatewayRequestSource) {
        coreContext = .init(source: source)
        plainLogger = source.logger
        requestID = source.requestID
        trace = source.trace
        received = source.received
        deadline = source.deadline
        isSecure = source.isSecure
        publicURL = source.publicURL
        remoteAddress = source.remoteAddress
        forwardedAddress = source.forwardedAddress
    }

    /// A logger with the request's id, created on demand, because most requests log nothing.
    package var logger: Logger {
        get {
            var logger = plainLogger
            logger[metadataKey: "request_id"] = .string(requestID)
            return logger
        }
        set { plainLogger = newValue }
    }

    /// The visitor's IP address in canonical form: the peer's, or the one from our proxy; `nil` over a Unix socket.
    ///
    /// A dual-stack listener reports IPv4 peers as `::ffff:198.51.100.7`.
    var clientAddress: String? { (forwardedAddress ?? remoteAddress?.ipAddress).map(NetworkAddress.canonical) }

    /// The registered route, `/v1/account/sessions/{id}`, or `nil` if none matched.
    var routeTemplate: String? {
        guard let path = coreContext.endpointPath.value, path != "NotFound" else { return nil }
        return path
    }
}

/// The source of a ``GatewayContext``.
package struct GatewayRequestSource: RequestContextSource {
    package let logger: Logger
    let requestID: String
    let trace: RequestTrace
    let received: ContinuousClock.Instant
    let deadline: ContinuousClock.Instant
    let remoteAddress: SocketAddress?
    /// The visitor's data from our own proxies, if any.
    let forwardedAddress: String?
    let isSecure: Bool
    let publicURL: String
}
