/// The reason for a missing response.
package enum TransferError: Error, Equatable, Sendable {
    /// The deadline passed after sending had begun.
    case timedOut
    /// The deadline for the name, the connection or TLS passed before anything was sent.
    case connectTimedOut
    case connectFailed
    /// The connection broke after sending had begun.
    case connectionLost
    /// No TLS 1.2 or later, or a certificate that does not prove the host.
    case tlsFailed
    case resolveFailed
    /// This server does not call the host's address; see ``AddressGuard``.
    case addressRefused
    /// A 3xx answer; redirections are never followed.
    case redirectRefused
    /// Body or headers beyond their limit.
    case responseTooLarge
    /// Not HTTP, or a body shorter than announced.
    case malformedResponse
    /// The request is invalid; the text names the part, never its value.
    case invalidRequest(String)
    case cancelled
    /// Too many requests are in flight.
    case overloaded
    /// The client was shut down.
    case closed
    /// The circuit is open for that long after too many failures of the provider.
    case circuitOpen(retryAfterSeconds: Int)
}
