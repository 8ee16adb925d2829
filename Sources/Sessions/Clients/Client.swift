package import Accounts
import Cryptography

/// An app that may call the gateway.
package struct Client: Sendable, Equatable {
    package let id: String
    package let name: String
    /// SHA-256 of the secret; nil for a public client.
    package let secretDigest: [UInt8]?
    /// Browser origins that may call with this client (CORS).
    package let origins: [String]
    /// Where a browser may be sent when somebody has signed in.
    package let redirectURIs: [String]
    /// Provider ids; empty means every configured one.
    package let providers: [String]
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
        id: String, name: String, secretDigest: [UInt8]?, origins: [String], redirectURIs: [String],
        providers: [String], linkingPolicy: LinkingPolicy, demandsSecondFactor: Bool = false,
        signUpNames: [SignInName.Kind] = [.email], attributes: [ClientAttribute] = [], claims: ClaimsPolicy? = nil,
        hasCustomChallenge: Bool = false, accessTokenLife: Int, refreshIdle: Int, refreshMaximum: Int,
        audiences: Set<Audience> = [.account]
    ) {
        (self.id, self.name, self.secretDigest, self.origins) = (id, name, secretDigest, origins)
        (self.redirectURIs, self.providers, self.linkingPolicy) = (redirectURIs, providers, linkingPolicy)
        (self.accessTokenLife, self.refreshIdle, self.refreshMaximum) = (accessTokenLife, refreshIdle, refreshMaximum)
        self.demandsSecondFactor = demandsSecondFactor
        (self.signUpNames, self.attributes) = (signUpNames, attributes)
        (self.claims, self.hasCustomChallenge) = (claims, hasCustomChallenge)
        self.audiences = audiences
    }

    package func allows(provider: String) -> Bool {
        providers.isEmpty || providers.contains(provider)
    }

    /// Constant time; never true for a public client.
    package func authenticates(secret: String) -> Bool {
        guard let secretDigest else { return false }
        return ConstantTime.equal(SHA256.hash(secret), secretDigest)
    }
}
