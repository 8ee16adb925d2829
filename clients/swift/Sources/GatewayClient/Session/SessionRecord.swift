import Foundation

/// A session as the store keeps it.
struct SessionRecord: Codable, Sendable {
    let id: String
    var tokens: SessionTokens
    var account: Account
    let identity: SignedInIdentity?
}

/// The tokens of a session and the times until which they work.
struct SessionTokens: Codable, Sendable {
    let access: Secret
    let accessEnds: Date
    let refresh: Secret
    let refreshEnds: Date
    /// The thumbprint of the key that the tokens are bound to; nil for bearer tokens.
    let boundTo: String?

    init(_ answer: TokensAnswer, now: Date, boundTo: String?) {
        (access, refresh, self.boundTo) = (answer.accessToken, answer.refreshToken, boundTo)
        accessEnds = now + TimeInterval(answer.expiresIn)
        refreshEnds = now + TimeInterval(answer.refreshExpiresIn)
    }

    var accessToken: AccessToken { AccessToken(value: access, isBound: boundTo != nil) }

    /// A token that ends while its request is under way would be refused.
    func worksAt(_ now: Date) -> Bool { accessEnds.timeIntervalSince(now) > 20 }
}

/// The identity that a user signed in with.
public struct SignedInIdentity: Codable, Sendable, Hashable {
    /// The identity's id at the gateway.
    public let id: String
    /// The provider's id.
    public let provider: String
    /// The user's id at the provider.
    public let subject: String

    enum CodingKeys: String, CodingKey, CaseIterable {
        case id, provider, subject
    }
}

/// Facts of the sign-in itself; a session from the store does not have them.
public struct SignInDetails: Sendable {
    /// Whether this sign-in created the account.
    public let isNewAccount: Bool
    /// New recovery codes, shown this once: let the user save them.
    public let recoveryCodes: [String]
}
