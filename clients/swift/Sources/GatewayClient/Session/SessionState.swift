/// The state of the user's sign-in.
public enum SessionState: Sendable {
    /// No one is signed in, or the user signed out here.
    case signedOut
    /// The user is signed in.
    case signedIn(Session)
    /// The session has ended without a sign-out here; the user must sign in again.
    case ended(SessionEnd)
    /// The user withdrew the consent at the provider, such as under *Sign in with Apple* in the system's settings.
    case consentWithdrawn(provider: String)
}

/// The end of a session and its reason.
public struct SessionEnd: Sendable, Equatable {
    /// The reason.
    public let reason: Reason
    /// The refusal of the gateway; nil if this device ended the session.
    public let problem: Problem?

    /// The reason why a session ended.
    public enum Reason: Sendable, Equatable {
        /// The user signed out in this app, or in an extension that shares its tokens.
        case signedOut
        /// The session was ended elsewhere: by another device, a password change, an operator or the provider.
        case endedElsewhere
        /// It was unused for too long, or reached its maximum age.
        case expired
        /// A used refresh token was sent again, so there may be a copy. The user gets a mail.
        case tokenReused
        /// The gateway does not know the tokens.
        case tokensInvalid
        /// The key that the tokens are bound to is lost, and they are worth nothing without it (RFC 9449).
        case keyLost
        /// The user withdrew the consent at the provider.
        case consentWithdrawn(provider: String)
    }

    /// The end that a refusal means; nil if the session continues.
    init?(_ problem: Problem) {
        switch problem.code {
        case .sessionEnded: reason = .endedElsewhere
        case .refreshTokenExpired: reason = .expired
        case .refreshTokenReused: reason = .tokenReused
        case .refreshTokenInvalid: reason = .tokensInvalid
        default: return nil
        }
        self.problem = problem
    }

    init(_ reason: Reason, problem: Problem? = nil) { (self.reason, self.problem) = (reason, problem) }

    var state: SessionState {
        switch reason {
        case .signedOut: .signedOut
        case .consentWithdrawn(let provider): .consentWithdrawn(provider: provider)
        default: .ended(self)
        }
    }
}
