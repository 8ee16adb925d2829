package import Vocabulary

/// A scope that selects claims of the ID token (OpenID Connect Core §5.4).
package enum TokenScope: String, Sendable, CaseIterable {
    /// Requests an ID token.
    case openid
    case profile, email, phone, address
    /// A refresh token that goes on after the sign-out of the browser (OpenID Connect Core §11).
    case offlineAccess = "offline_access"
    /// Lets an access token of Cognito's form call its API.
    case cognitoAPI = "aws.cognito.signin.user.admin"

    /// The scopes of the gateway's own tokens.
    package static let own: [TokenScope] = [.openid, .profile, .email, .phone, .address, .offlineAccess]

    /// The claims that the scope adds to the ID token.
    package var claims: [String] {
        switch self {
        case .openid: ["iss", "sub", "aud", "iat", "exp", "auth_time", "nonce", "acr", "amr", "sid", "at_hash", "jti"]
        case .profile:
            [
                "name", "family_name", "given_name", "middle_name", "nickname", "preferred_username", "profile",
                "picture", "website", "gender", "birthdate", "zoneinfo", "locale",
            ]
        case .email: ["email", "email_verified"]
        case .phone: ["phone_number", "phone_number_verified"]
        case .address: ["address"]
        case .offlineAccess, .cognitoAPI: []
        }
    }
}

extension Set<TokenScope> {
    /// The names in the order of ``TokenScope``, as in `scope` (RFC 6749 §3.3) and in the database.
    package var names: [String] { TokenScope.allCases.filter(contains).map(\.rawValue) }

    /// Drops unknown names.
    package init(names: [String]) { self.init(names.compactMap(TokenScope.init(rawValue:))) }
}

/// The tokens that a sign-in orders, by the door and by the parameters of the app.
package struct TokenOrder: Sendable, Equatable {
    package let dialect: TokenDialect
    /// Without `openid` at most `offline_access`.
    package let scopes: Set<TokenScope>
    /// The app's nonce for the ID token; never the nonce of a provider.
    package let nonce: String?

    /// In bytes.
    static let longestNonce = 512

    /// No ID token.
    package static let gateway = TokenOrder(.gateway, [])
    /// As every sign-in through Cognito's API: an access token for that API, and an ID token.
    package static let cognito = TokenOrder(.cognito, [.cognitoAPI])
    /// As every sign-in through native authentication: an access token and an ID token.
    package static let nativeAuth = TokenOrder(.nativeAuth, [.openid, .profile, .email, .phone])

    private init(_ dialect: TokenDialect, _ scopes: Set<TokenScope>, nonce: String? = nil) {
        (self.dialect, self.scopes, self.nonce) = (dialect, scopes, nonce)
    }

    /// The same order at a door of another dialect.
    package func at(_ dialect: TokenDialect) -> TokenOrder { TokenOrder(dialect, scopes, nonce: nonce) }

    /// The same without the scopes that the operator does not allow the app; tokens in another vendor's form stay.
    package func limited(to allowed: Set<TokenScope>) -> TokenOrder {
        guard dialect == .gateway else { return self }
        let isOrdered = scopes.contains(.openid) && allowed.contains(.openid)
        let left = scopes.intersection(isOrdered ? allowed : allowed.intersection([.offlineAccess]))
        return TokenOrder(dialect, left, nonce: isOrdered ? nonce : nil)
    }

    /// The same without the scopes that the user did not grant; `openid` needs no grant.
    package func granting(_ granted: Set<TokenScope>) -> TokenOrder {
        TokenOrder(dialect, scopes.intersection(granted.union([.openid])), nonce: nonce)
    }

    /// Reads `scope` and `nonce` of an authentication request (OpenID Connect Core §3.1.2.1).
    ///
    /// Unknown scopes have no effect (RFC 6749 §3.3). Without `openid` only `offline_access` has one.
    ///
    /// - Throws: `invalidField` for a nonce that is empty, too long or not visible ASCII.
    package init(at dialect: TokenDialect, scope: String?, nonce: String?) throws(Rejection) {
        let asked = Set(names: (scope ?? "").words)
        let isOrdered = asked.contains(.openid)
        if isOrdered, let nonce, !Self.isNonce(nonce) { throw .invalidField(.nonce, .malformed) }
        (self.dialect, self.nonce) = (dialect, isOrdered ? nonce : nil)
        scopes = isOrdered ? asked : asked.intersection([.offlineAccess])
    }

    /// `scope` with the known names only; nil without an ID token.
    package var scope: String? { scopes.isEmpty ? nil : scopes.names.joined(separator: " ") }

    private static func isNonce(_ text: String) -> Bool {
        (1...longestNonce).contains(text.utf8.count) && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }
}
