/// The reason why a mail or a text message was not accepted for delivery.
package enum DeliveryError: Error, Equatable, Sendable {
    /// The text names the faulty part, never its value.
    case invalidMessage(String)
    case misconfigured(String)
    /// A permanent refusal of the recipient or message: SMTP 5yz, an HTTP status, or the service's own number.
    case rejected(status: Int)
    /// The server refuses us, whatever the message (SMTP 5yz before any message).
    case notServed(status: Int)
    /// The server refused for now (SMTP 4yz).
    case deferred(status: Int)
    case authenticationFailed
    /// STARTTLS is required but not supported, and nothing was sent in the clear.
    case encryptionUnavailable
    /// No TLS 1.2 or later, or a certificate that does not prove the host.
    case tlsFailed
    /// The name does not resolve, or nothing listens at the address.
    case unreachable
    case addressRefused
    case timedOut(mayHaveBeenDelivered: Bool)
    case connectionLost(mayHaveBeenDelivered: Bool)
    /// The server does not speak SMTP.
    case malformedAnswer
    /// A file could not be written into the folder.
    case notStored(folder: String)
    case cancelled
    case overloaded
    case closed

    /// Whether the same message may succeed later without any change.
    package var isTransient: Bool {
        switch self {
        case .deferred, .unreachable, .timedOut, .connectionLost, .overloaded, .notStored: true
        case .invalidMessage, .misconfigured, .rejected, .notServed, .authenticationFailed, .encryptionUnavailable,
            .tlsFailed,
            .addressRefused, .malformedAnswer, .cancelled, .closed:
            false
        }
    }

    /// A word for logs and tables.
    package var code: String {
        switch self {
        case .invalidMessage: "invalid_message"
        case .misconfigured: "misconfigured"
        case .rejected(let status): "rejected_\(status)"
        case .notServed(let status): "not_served_\(status)"
        case .deferred(let status): "deferred_\(status)"
        case .authenticationFailed: "authentication_failed"
        case .encryptionUnavailable: "encryption_unavailable"
        case .tlsFailed: "tls_failed"
        case .unreachable: "unreachable"
        case .addressRefused: "address_refused"
        case .timedOut: "timed_out"
        case .connectionLost: "connection_lost"
        case .malformedAnswer: "malformed_answer"
        case .notStored: "not_stored"
        case .cancelled: "cancelled"
        case .overloaded: "overloaded"
        case .closed: "closed"
        }
    }
}
