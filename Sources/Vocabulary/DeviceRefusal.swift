/// The refusals of the device flow, by their codes (RFC 8628 §3.5, RFC 6749 §5.2).
package enum DeviceRefusal: String, Sendable, CaseIterable {
    /// The user has not answered yet.
    case pending = "authorization_pending"
    /// The user has not answered yet, and the device asks too often.
    case tooSoon = "slow_down"
    /// The user declined.
    case declined = "access_denied"
    case expired = "expired_token"
    /// The client may not use the device flow.
    case clientNotAllowed = "unauthorized_client"
    /// No device waits with the code that the user typed, or no longer.
    case userCodeInvalid = "user_code_invalid"
}
