/// Why there is no response.
package enum TransferError: Error, Equatable, Sendable {
    /// The deadline passed after the request had begun to leave.
    case timedOut
    /// The deadline for the name, the connection or TLS passed; nothing of the request had left.
    case connectTimedOut
    case connectFailed
    /// The connection broke after the request had begun to leave.
    case connectionLost
    /// No TLS 1.2 or later, or a certificate that doesn't prove the host.
    case tlsFailed
    case resolveFailed
    /// The host's address is one that this server doesn't call; see ``AddressGuard``.
    case addressRefused
    /// A 3xx answer. Redirections are never followed.
    case redirectRefused
    /// Body or headers beyond their limit.
    case responseTooLarge
    /// Not HTTP, or a body shorter than announced.
    case malformedResponse
    /// The request itself is not one that may be sent; the text names the part, never its value.
    case invalidRequest(String)
    case cancelled
    /// Too many requests are in flight.
    case overloaded
    /// The client was shut down.
    case closed
    /// The provider failed too often of late and is left alone for that long.
    case circuitOpen(retryAfterSeconds: Int)

    /// Whether the other side may have seen the request: then one that can't be repeated must not be.
    package var mayHaveBeenSent: Bool {
        switch self {
        case .timedOut, .connectionLost, .redirectRefused, .responseTooLarge, .malformedResponse, .cancelled, .closed:
            true
        case .connectTimedOut, .connectFailed, .tlsFailed, .resolveFailed, .addressRefused, .invalidRequest,
            .overloaded, .circuitOpen:
            false
        }
    }
}
