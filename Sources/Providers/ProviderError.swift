package import Cryptography

/// Why a provider did not name somebody.
///
/// Closed: a front door's `switch` gives each case its status and words.
package enum ProviderError: Error, Equatable, Sendable {
    /// The request is not of a shape that can be checked; nobody was asked (400, `/credential/<member>`).
    case invalidRequest(member: String, reason: String)
    /// The credential was checked and does not hold (401, the refusal's raw value is the code).
    case refused(TokenRefusal)
    /// The provider is down, slow or answers nonsense (503); try again after so many seconds.
    case unavailable(reason: String, retryAfter: Int)
    /// The provider refuses us, not the person (500): only the operator can help.
    case misconfigured(reason: String)
}

extension ProviderError {
    /// Whether the provider was asked in vain because of what somebody posted.
    ///
    /// Not where it is down or doesn't know us, which is no fault of theirs, nor where nobody was asked.
    package var isCredentialsFault: Bool {
        switch self {
        case .refused: true
        case .misconfigured(let reason): reason == TokenEndpoint.requestInvalid
        case .invalidRequest, .unavailable: false
        }
    }
}
