package import Clients
package import Foundation

/// A session that was just made, with the tokens that only its owner ever sees.
package struct IssuedSession: Sendable, Equatable {
    package let id: UUID
    package let account: UUID
    /// Whether the sign-in proved two factors.
    package let hasTwoFactors: Bool
    package let accessToken: String
    /// In seconds.
    package let accessTokenLife: Int
    package let refreshToken: String
    /// In seconds.
    package let refreshTokenLife: Int
    /// Nil unless the sign-in requested one.
    package let idToken: String?
    /// The scopes of the ID token; empty without one.
    package let scopes: Set<TokenScope>
    /// The scopes of the access token at its resource.
    package let resourceScopes: [String]
    /// `token_type` (RFC 6749 §7.1, RFC 9449 §5).
    package let tokenType: String
}
