package import Foundation
import JSON
package import Vocabulary

/// An app that may call the gateway.
///
/// A class, because each request hands it through many calls: a copy of the members would count twenty references.
package final class Client: Sendable {
    /// Whether the client can keep a secret (RFC 6749 §2.1).
    package enum Kind: String, Sendable, CaseIterable {
        /// Runs on user devices and never authenticates; its back end uses the secret for introspection only.
        case `public`
        /// Authenticates with its secret or its keys wherever it gets or revokes tokens.
        case confidential
    }

    package let id: String
    package let name: String
    package let kind: Kind
    /// For a public client, its back end's secret.
    package let secret: ClientSecret?
    /// Browser origins that may call with this client (CORS).
    package let origins: [String]
    /// The permitted browser destinations after a sign-in.
    package let redirectURIs: [RedirectURI]
    /// The ids of the sign-in methods that it offers; an empty list offers none.
    package let providers: [String]
    /// The accepted token audiences by provider; an absent provider means every configured audience.
    package let acceptedAudiences: [String: [String]]
    package let linkingPolicy: LinkingPolicy
    /// Every user of this client has two factors, or sets a second one up.
    package let demandsSecondFactor: Bool
    /// The kinds of name that a sign-up accepts.
    package let signUpNames: [SignInName.Kind]
    package let attributes: [ClientAttribute]
    /// The attributes that accounts may have at it; the pages do not ask for the ones beyond ``attributes``.
    package let knownAttributes: [ClientAttribute]
    /// The operator's identity on its pages; nil for the gateway's own.
    package let brand: ClientBrand?
    /// When a sign-up, a reset or a code needs a bot check, where one is configured.
    package let botCheck: BotCheckPolicy
    /// The extra claims of its access tokens.
    package let claims: ClaimsPolicy?
    /// Whether a sign-in without a credential makes an account.
    package let allowsGuests: Bool
    /// Whether the operator's custom challenge may be a second factor.
    package let hasCustomChallenge: Bool
    /// Whether it takes a provider's token with a nonce that its SDK made and keeps to itself.
    package let takesForeignNonces: Bool
    /// The lifetime in seconds.
    package let accessTokenLife: Int
    package let refreshIdle: Int
    package let refreshMaximum: Int
    package let refreshRotation: TokenProfile.Rotation
    /// Its identifiers in the protocols of other vendors.
    package let dialects: ClientDialects
    /// Its settings as a relying party.
    package let openID: OpenIDSettings
    /// The extra audiences of its sessions, in addition to the app's own API.
    package let audiences: Set<Audience>
    package let origin: ClientOrigin
    /// When it was last enabled; nil if it was never disabled.
    let liveSince: Date?
    /// Whether it takes calls from pages of this machine without a registration, for development.
    let takesLocalOrigins: Bool
    /// The sector of its users' subjects; nil where it knows their account ids.
    package let sector: String?
    /// Whether the app's users sign in under `/v1` or by another vendor's API, and its tokens open the account.
    ///
    /// Those answers name accounts, which an app with pairwise subjects may not learn. The users of another maker's app
    /// agreed to scopes at `/authorize`, and to nothing else.
    package let usesOwnAPI: Bool

    package init(
        id: String, name: String, kind: Kind = .public, secret: ClientSecret?, origins: [String],
        redirectURIs: [String], providers: [String], acceptedAudiences: [String: [String]] = [:],
        linkingPolicy: LinkingPolicy, demandsSecondFactor: Bool = false,
        signUpNames: [SignInName.Kind] = [.email], attributes: [ClientAttribute] = [],
        brand: ClientBrand? = nil, botCheck: BotCheckPolicy = .beyondBudget, claims: ClaimsPolicy? = nil,
        allowsGuests: Bool = false, hasCustomChallenge: Bool = false, takesForeignNonces: Bool = false,
        accessTokenLife: Int, refreshIdle: Int, refreshMaximum: Int,
        refreshRotation: TokenProfile.Rotation = .always, dialects: ClientDialects = .none,
        openID: OpenIDSettings = .standard, audiences: Set<Audience> = [.account],
        origin: ClientOrigin = .operator, liveSince: Date? = nil, takesLocalOrigins: Bool = false
    ) {
        (self.id, self.name, self.secret, self.origins) = (id, name, secret, origins)
        self.redirectURIs = redirectURIs.compactMap { RedirectURI($0) }
        (self.providers, self.linkingPolicy) = (providers, linkingPolicy)
        (self.accessTokenLife, self.refreshIdle, self.refreshMaximum) = (accessTokenLife, refreshIdle, refreshMaximum)
        (self.kind, self.acceptedAudiences, self.demandsSecondFactor) = (kind, acceptedAudiences, demandsSecondFactor)
        (self.signUpNames, self.brand) = (signUpNames, brand)
        self.attributes = attributes.map { $0.owned(by: id, in: dialects) }
        (self.botCheck, self.claims, self.allowsGuests) = (botCheck, claims, allowsGuests)
        (self.hasCustomChallenge, self.takesForeignNonces) = (hasCustomChallenge, takesForeignNonces)
        knownAttributes = Self.known(attributes, dialects).map { $0.owned(by: id, in: dialects) }
        (self.refreshRotation, self.audiences) = (refreshRotation, audiences)
        (self.openID, self.origin, self.liveSince) = (openID, origin, liveSince)
        self.takesLocalOrigins = takesLocalOrigins
        sector = Sector.name(for: openID, of: id, from: origin, redirectURIs: redirectURIs)
        usesOwnAPI = sector == nil && !openID.isThirdParty
        self.dialects = usesOwnAPI ? dialects : .none
    }

    /// Returns the extra audiences of the tokens of one session.
    ///
    /// - Parameter administers: whether the session began while the client had the permission `administration`. An
    /// older session lives longer than operator sessions may, and never gains the permission.
    package func audiences(administers: Bool) -> Set<Audience> {
        administers ? audiences : audiences.subtracting([.administration])
    }

    /// Whether a guest may sign in now: administration and a demanded second factor exclude guests.
    package var acceptsGuests: Bool { allowsGuests && !demandsSecondFactor && !audiences.contains(.administration) }

    /// Whether a provider's token for these audiences is accepted: all of them must be allowed.
    package func allows(audiences given: [String], of provider: String) -> Bool {
        guard let allowed = acceptedAudiences[provider] else { return true }
        return !given.isEmpty && given.allSatisfy { one in allowed.contains { $0.hasSameBytes(as: one) } }
    }

    /// Whether a token without a session outlived the last disabling of the client, which ended all earlier ones.
    ///
    /// - Parameter issued: its `iat`, in whole seconds.
    package func accepts(tokenIssued issued: Int) -> Bool {
        liveSince.map { TimeInterval(issued + 1) > $0.timeIntervalSince1970 } ?? true
    }

    /// Compares in constant time; never true without a secret.
    package func authenticates(secret presented: String) -> Bool {
        secret?.matches(presented) ?? false
    }
}
