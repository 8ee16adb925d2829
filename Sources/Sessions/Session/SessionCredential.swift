import Foundation

/// How a new session is to reach its owner.
package enum SessionHanding: Sendable, Equatable {
    /// As tokens in the answer.
    case tokens
    /// As a cookie of the browser that asks.
    case cookie
    /// As a one-time code at an app's redirect address.
    case code(CodeBinding)
}

/// What a session is held by: the database keeps its digest alone.
enum SessionCredential: Sendable, Equatable {
    case refreshToken(RefreshToken)
    case cookie(SessionCookie)
    case code(HandoverCode, CodeBinding)

    var session: UUID {
        switch self {
        case .refreshToken(let token): token.session
        case .cookie(let cookie): cookie.session
        case .code(let code, _): code.session
        }
    }
}

/// What the owner of a new session is given.
package enum HandedSession: Sendable, Equatable {
    case tokens(IssuedSession)
    /// The cookie's value, and its life in seconds.
    case cookie(String, life: Int)
    /// The code, and the address that it goes to.
    case code(String, CodeBinding)
}
