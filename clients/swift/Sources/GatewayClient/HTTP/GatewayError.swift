public import Foundation

/// Every error that this library throws, except `CancellationError`.
public enum GatewayError: Error, Sendable {
    /// The gateway refused the call.
    case refused(Problem)
    /// No answer came: no network, a time-out, or TLS failed.
    case unreachable(any Error)
    /// The answer is not one of the gateway.
    case unreadableAnswer(status: Int)
    /// The session has ended; sign in again.
    case sessionEnded(SessionEnd)
    /// The tokens could not be read or written, or their key could not be used.
    case storage(any Error)
    /// The user cancelled at the provider or in a system dialogue.
    case cancelled
    /// The browser came back with an error or with the answer of another sign-in.
    case browser(BrowserFailure)
    /// The step accepts no such answer, or this device can't give it.
    case unanswerable(String)
    /// The address belongs to none of the client's back ends, so it gets no access token.
    case foreignAddress(URL)
    /// The address is neither https nor this machine, so a token would travel in the clear.
    case insecureAddress(URL)

    /// The refusal, if the gateway sent one.
    public var problem: Problem? { if case .refused(let problem) = self { problem } else { nil } }

    /// The code of the refusal, if the gateway sent one.
    public var code: ErrorCode? { problem?.code }

    /// Seconds until another attempt is useful, if the gateway said so.
    public var retryAfter: Int? { problem?.retryAfter }
}

extension GatewayError: LocalizedError {
    /// One sentence for the user, in English.
    public var errorDescription: String? {
        switch self {
        case .refused(let problem): problem.title
        case .unreachable: "The server can't be reached. Check your connection."
        case .unreadableAnswer: "The server sent an unexpected answer."
        case .sessionEnded: "Sign in again."
        case .storage: "Your sign-in can't be saved on this device."
        case .cancelled: "The sign-in was cancelled."
        case .browser: "The sign-in in the browser failed."
        case .unanswerable(let reason): reason
        case .foreignAddress: "The address is not one of this app's servers."
        case .insecureAddress: "The address is not secure."
        }
    }
}

/// The reason why a sign-in in the browser failed.
public enum BrowserFailure: Sendable, Equatable {
    /// The address belongs to another sign-in, or to another server.
    case foreignAnswer
    /// The gateway returned an OAuth error, such as `access_denied`.
    case refused(error: String, description: String?)
}
