package import Foundation

/// How a new session is delivered.
package enum SessionHanding: Sendable, Equatable {
    /// As tokens in the answer.
    case tokens
    /// As a cookie in the requesting browser, for a website or our own pages, with the app's lifetimes.
    case cookie
    /// As a cookie in the requesting browser, from which the sessions of apps begin (``BrowserSessions``).
    case browser
    /// As a one-time code at the app's redirect address.
    case code(CodeBinding)
}

/// The credential of a session; the database keeps its digest only.
package enum SessionCredential: Sendable, Equatable {
    case refreshToken(RefreshToken)
    case cookie(SessionCookie)
    case code(HandoverCode)

    package var session: UUID {
        switch self {
        case .refreshToken(let token): token.session
        case .cookie(let cookie): cookie.session
        case .code(let code): code.session
        }
    }
}

/// The issued credential of a new session.
package enum HandedSession: Sendable, Equatable {
    case tokens(IssuedSession)
    /// The cookie's value and its lifetime in seconds.
    case cookie(String, life: Int)
    case code(String)
}
