package import Accounts
import Cryptography
import JSON

/// An app that may call the gateway.
package struct Client: Sendable, Equatable {
    /// Whether it can keep a secret (RFC 6749 §2.1).
    package enum Kind: String, Sendable, CaseIterable {
        /// On people's devices: never proves itself; a secret is its back end's, for introspection alone.
        case `public`
        /// Proves itself by its secret wherever it gets or revokes tokens.
        case confidential
    }

    package let id: String
    package let name: String
    package let kind: Kind
    /// SHA-256 of the secret; a public client's is its back end's.
    package let secretDigest: [UInt8]?
    /// Browser origins that may call with this client (CORS).
    package let origins: [String]
    /// Where a browser may be sent when somebody has signed in.
    package let redirectURIs: [String]
    /// Provider ids; empty means every configured one.
    package let providers: [String]
    /// By provider: the audiences that its tokens must have; none for a provider means every configured one.
    package let acceptedAudiences: [String: [String]]
    package let linkingPolicy: LinkingPolicy
    /// Everybody who signs in with it has two factors, or sets a second one up.
    package let demandsSecondFactor: Bool
    /// What people may sign up with.
    package let signUpNames: [SignInName.Kind]
    package let attributes: [ClientAttribute]
    /// What its access tokens carry beside the usual.
    package let claims: ClaimsPolicy?
    /// Whether the operator's custom challenge may be a second factor.
    package let hasCustomChallenge: Bool
    /// In seconds.
    package let accessTokenLife: Int
    package let refreshIdle: Int
    package let refreshMaximum: Int
    /// What its sessions are good for beside the app's own API.
    package let audiences: Set<Audience>

    package init(
        id: String, name: String, kind: Kind = .public, secretDigest: [UInt8]?, origins: [String],
        redirectURIs: [String], providers: [String], acceptedAudiences: [String: [String]] = [:],
        linkingPolicy: LinkingPolicy, demandsSecondFactor: Bool = false,
        signUpNames: [SignInName.Kind] = [.email], attributes: [ClientAttribute] = [], claims: ClaimsPolicy? = nil,
        hasCustomChallenge: Bool = false, accessTokenLife: Int, refreshIdle: Int, refreshMaximum: Int,
        audiences: Set<Audience> = [.account]
    ) {
        (self.id, self.name, self.secretDigest, self.origins) = (id, name, secretDigest, origins)
        (self.redirectURIs, self.providers, self.linkingPolicy) = (redirectURIs, providers, linkingPolicy)
        (self.accessTokenLife, self.refreshIdle, self.refreshMaximum) = (accessTokenLife, refreshIdle, refreshMaximum)
        (self.kind, self.acceptedAudiences, self.demandsSecondFactor) = (kind, acceptedAudiences, demandsSecondFactor)
        (self.signUpNames, self.attributes) = (signUpNames, attributes)
        (self.claims, self.hasCustomChallenge) = (claims, hasCustomChallenge)
        self.audiences = audiences
    }

    /// What tokens of one of its sessions are good for beside the app's own API.
    ///
    /// - Parameter administers: whether the session began while the client had the permission `administration`. One from
    ///   before lives longer than operators' sessions may, and never gains the permission.
    package func audiences(administers: Bool) -> Set<Audience> {
        administers ? audiences : audiences.subtracting([.administration])
    }

    package func allows(provider: String) -> Bool {
        providers.isEmpty || providers.contains(provider)
    }

    /// Whether what a provider made for these audiences may open it: all of them must be allowed.
    package func allows(audiences given: [String], of provider: String) -> Bool {
        guard let allowed = acceptedAudiences[provider] else { return true }
        return !given.isEmpty && given.allSatisfy { one in allowed.contains { $0.hasSameBytes(as: one) } }
    }

    /// Constant time; never true without a secret.
    package func authenticates(secret: String) -> Bool {
        guard let secretDigest else { return false }
        return ConstantTime.equal(SHA256.hash(secret), secretDigest)
    }
}
