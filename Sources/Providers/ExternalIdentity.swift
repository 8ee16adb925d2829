package import Cryptography
package import FoundationEssentials

/// A token that a provider gave us for later use, such as telling it that the account is gone.
package struct UpstreamToken: Sendable, Equatable {
    /// `refresh` so far.
    package let kind: String
    /// The client the token was issued to: the provider takes it back from no other.
    package let clientID: String
    package let token: Secret

    package init(kind: String, clientID: String, token: Secret) {
        self.kind = kind
        self.clientID = clientID
        self.token = token
    }
}

/// Who somebody was in the realm that an app came from.
package struct FormerIdentity: Sendable, Equatable {
    package let realm: String
    /// What both realms know the person by.
    package let transferSubject: String
}

/// Who a provider says somebody is: all that an adapter may deliver, and all that the rest of the gateway may know.
///
/// (`provider`, `realm`, `subject`) is the key. The e-mail address never identifies anybody.
package struct ExternalIdentity: Sendable, Equatable {
    package let provider: ProviderID
    /// Within what the subject is unique: a team, a tenant, a company, a pool, an issuer.
    package let realm: String
    package let subject: String
    /// For whom the provider made the token or code: of the configured client ids.
    package let audiences: [String]
    package var email: ExternalEmail?
    /// Sanitised, and still untrusted text: good for display only, escaped.
    package var displayName: String?
    /// When the person last proved themselves to the provider (`auth_time`), if it said so.
    package var authenticatedAt: Date?
    /// When the provider made the credential (`iat`), if it said so.
    package var issuedAt: Date?
    /// The raw server nonce that the token proved; the caller must spend it.
    package var nonce: String?
    /// SHA-256 naming the presented credential, for the ledger of used ones.
    package let replayDigest: [UInt8]
    /// Until when the credential could be presented again.
    package let replayEnd: ReplayEnd
    package var upstreamTokens: [UpstreamToken]
    /// Who this was before the app moved, where the provider's signature says so and the operator lets it count.
    package var former: FormerIdentity?

    package init(
        provider: ProviderID, realm: String, subject: String, audiences: [String], email: ExternalEmail? = nil,
        displayName: String? = nil, authenticatedAt: Date? = nil, issuedAt: Date? = nil, nonce: String? = nil,
        replayDigest: [UInt8],
        replayEnd: ReplayEnd,
        upstreamTokens: [UpstreamToken] = []
    ) {
        self.provider = provider
        self.realm = realm
        self.subject = subject
        self.audiences = audiences
        self.email = email
        self.displayName = displayName
        (self.authenticatedAt, self.issuedAt) = (authenticatedAt, issuedAt)
        self.nonce = nonce
        self.replayDigest = replayDigest
        self.replayEnd = replayEnd
        self.upstreamTokens = upstreamTokens
    }
}

/// How long something that is good once has to be remembered.
package enum ReplayEnd: Sendable, Equatable {
    /// The end that it states itself, the same whenever it comes.
    case itsOwn(Date)
    /// Counted from now: it does not say when it ends.
    case counted(Date)
}

extension ExternalIdentity {
    /// When the person was last known to be there: the provider's `auth_time`, else the credential's `iat`, never later
    /// than now.
    ///
    /// A provider that tells neither (GitHub) leaves the moment at which its code was exchanged.
    package func provedAt(_ now: Date) -> Date { min(authenticatedAt ?? issuedAt ?? now, now) }
}
