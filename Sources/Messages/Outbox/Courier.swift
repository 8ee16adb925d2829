import Outbound

/// Passes messages of one medium to a delivery service.
protocol Courier: Sendable {
    /// Returns the delivery service's id of the message, once that service has accepted it.
    func carry(_ message: ClaimedMessage) async throws(DeliveryError) -> String?
}

/// The result of one attempt to send a message.
enum Attempt: Sendable, Equatable {
    case sent(providerID: String?)
    /// Permanent: the service refuses the address or the content.
    case refused(reason: String)
    /// Temporary, or our own fault: a retry may succeed.
    case failed(reason: String)

    init(_ error: DeliveryError) {
        switch error {
        case .rejected, .invalidMessage: self = .refused(reason: error.code)
        default: self = .failed(reason: error.code)
        }
    }
}
