package import Cryptography
package import FoundationEssentials

/// A provider's token for later use, such as revocation when the account is deleted.
package struct UpstreamToken: Sendable, Equatable {
    /// So far always `refresh`.
    package let kind: String
    /// The client of the token: the provider lets no other client revoke it.
    package let clientID: String
    package let token: Secret

    package init(kind: String, clientID: String, token: Secret) {
        self.kind = kind
        self.clientID = clientID
        self.token = token
    }
}

/// A user's identity in the former realm of a moved app.
package struct FormerIdentity: Sendable, Equatable {
    package let realm: String
    /// The user's transfer subject, which both realms know.
    package let transferSubject: String
}

/// A user at a provider: everything that an adapter may deliver and the rest of the gateway may know.
///
/// (`provider`, `realm`, `subject`) is the key. The e-mail address never identifies a user.
package struct ExternalIdentity: Sendable, Equatable {
    package let provider: ProviderID
    /// The namespace of the subject: a team, a tenant, a company, a pool or an issuer.
    package let realm: String
    package let subject: String
    /// The audiences of the token or code, from the configured client ids.
    package let audiences: [String]
    package var email: ExternalEmail?
    /// Sanitised but still untrusted text: for display only, and escaped.
    package var displayName: String?
    /// Further facts by the attribute names of clients: sanitised but untrusted text.
    package var attributes: [String: String] = [:]
    /// The time of the user's last sign-in at the provider (`auth_time`); nil if the adapter can't know it.
    ///
    /// Without it a silent answer looks like a new sign-in, so the session changes no sign-in method before another proof
    /// (`steps/lacks_proof.sql`).
    package var authenticatedAt: Date?
    /// The time at which the provider issued the credential (`iat`), if known.
    package var issuedAt: Date?
    /// The nonce of the token.
    ///
    /// The caller must spend a posted one, and decide about a foreign one.
    package var nonce: TokenNonce?
    /// The SHA-256 of the presented credential, for the replay ledger.
    package let replayDigest: [UInt8]
    /// The time until which the credential could be presented again.
    package let replayEnd: ReplayEnd
    package var upstreamTokens: [UpstreamToken]
    /// The identity before the app's move, if the provider signed it and the operator accepts it.
    package var former: FormerIdentity?

    package init(
        provider: ProviderID, realm: String, subject: String, audiences: [String], email: ExternalEmail? = nil,
        displayName: String? = nil, authenticatedAt: Date? = nil, issuedAt: Date? = nil, nonce: TokenNonce? = nil,
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

/// How long the ledger must remember a single-use value.
package enum ReplayEnd: Sendable, Equatable {
    /// The expiry that the value states, the same at each use.
    case itsOwn(Date)
    /// Counted from now, because the value states no expiry.
    case counted(Date)
}

extension ExternalIdentity {
    /// The time of the user's last proof: the provider's `auth_time`, else the credential's `iat`, never in the future.
    ///
    /// Without either (GitHub), it is the time at which the code was exchanged.
    package func provedAt(_ now: Date) -> Date { min(authenticatedAt ?? issuedAt ?? now, now) }
}
