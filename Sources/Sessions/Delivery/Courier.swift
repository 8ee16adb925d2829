import Providers

/// Carries messages of one medium to whoever delivers them.
protocol Courier: Sendable {
    /// Returns when somebody else has taken responsibility: with the name that they know the message by.
    func carry(_ message: ClaimedMessage) async throws(DeliveryError) -> String?
}

/// What one attempt to send a message came to.
enum Attempt: Sendable, Equatable {
    case sent(providerID: String?)
    /// For good: the address, or what is said, isn't taken.
    case refused(reason: String)
    /// For now, or by our own fault: worth another try.
    case failed(reason: String)

    init(_ error: DeliveryError) {
        switch error {
        case .rejected, .invalidMessage: self = .refused(reason: error.code)
        default: self = .failed(reason: error.code)
        }
    }
}
