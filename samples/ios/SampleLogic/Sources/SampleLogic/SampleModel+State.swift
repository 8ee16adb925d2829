import Foundation
public import GatewayClient

extension SampleModel {
    /// Everything to draw.
    public struct State: Sendable {
        /// The screen.
        public internal(set) var screen = Screen.starting
        /// A sentence for the user.
        public internal(set) var message: String?
        /// The account, once the gateway answered.
        public internal(set) var profile: Profile?
        /// The open sessions of the account.
        public internal(set) var sessions: [OpenSession] = []
        /// New recovery codes for the user to save.
        public internal(set) var recoveryCodes: [String] = []
        /// Whether a request is under way: disable the buttons.
        public internal(set) var isWorking = false

        /// A screen without an account.
        public init(screen: Screen = .starting, message: String? = nil) {
            (self.screen, self.message) = (screen, message)
        }
    }

    /// A screen of the sample.
    public enum Screen: Sendable {
        case starting, signIn, account
        /// The user signs in again, because an action needs a recent proof.
        case signInAgain
        /// The user proves the second factor, because an action needs it.
        case stepUp
    }

    /// The effect of a button on the account screen.
    public enum Action: Sendable {
        case load, signOut, deleteAccount, keepAccount
        case end(OpenSession)
        case addPasskey(any PasskeyAuthenticator)
    }
}

extension SampleModel {
    static func farewell(_ deletion: Deletion?) -> String {
        guard let deletion else { return "Your account is deleted." }
        return "Your account will be deleted on \(deletion.dueAt.formatted(date: .long, time: .omitted)). "
            + "Until then you can sign in and keep it."
    }
}

extension SessionState {
    /// The reason why the user must sign in; nil after a sign-out.
    var farewell: String? {
        switch self {
        case .signedIn, .signedOut: nil
        case .consentWithdrawn(let provider): "You removed this app at \(provider.capitalized)."
        case .ended(let end):
            switch end.reason {
            case .expired: "You did not use the app for a long time."
            case .endedElsewhere: "Your session was ended from elsewhere."
            case .tokenReused: "Your session was ended, because it may have been copied."
            default: "Your session has ended."
            }
        }
    }
}
