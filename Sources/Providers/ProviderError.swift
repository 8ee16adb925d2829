package import Cryptography

/// The reason why a provider did not return an identity.
///
/// The enum is closed: a front door's `switch` gives each case its status and words.
package enum ProviderError: Error, Equatable, Sendable {
    /// The shape of the request is invalid, so no provider was asked (400, `/credential/<member>`).
    ///
    /// `accepted` lists the members or values that the place may have, where they are few.
    case invalidRequest(member: String, reason: String, accepted: [String] = [])
    /// The credential was checked and is invalid (401, the refusal's raw value is the code).
    case refused(TokenRefusal)
    /// The provider is down, slow or sends invalid answers (503); retry after so many seconds.
    case unavailable(reason: String, retryAfter: Int)
    /// The provider refuses us, not the user (500): only the operator can correct this.
    case misconfigured(reason: String)
}

extension ProviderError {
    /// Whether a caller's credential made a request to the provider fail.
    ///
    /// An outage or a misconfiguration is not the caller's fault. A credential that caused no request does not count
    /// either.
    package var isCredentialsFault: Bool {
        switch self {
        case .refused: true
        case .misconfigured(let reason): reason == TokenEndpoint.requestInvalid
        case .invalidRequest, .unavailable: false
        }
    }
}
