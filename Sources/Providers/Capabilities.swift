package import FoundationEssentials
package import JSON

/// A provider that accepts tokens or codes from apps.
package protocol TokenSignIn: IdentityProvider {
    /// Whether a posted credential can carry a nonce.
    var bindsNonces: Bool { get }

    /// Whether checking a credential takes a request of its own, such as the exchange of a code.
    ///
    /// The caller must throttle such credentials, because a client could cause any number of requests. Cached documents
    /// do not count, and neither do credentials of a wrong shape.
    func asksProvider(about credential: JSONObject) -> Bool

    /// Checks a posted credential and returns its identity.
    ///
    /// Unknown members are refused. The adapter stores nothing: the caller spends the nonce and refuses a second use of
    /// the credential, by ``ExternalIdentity/nonce`` and ``ExternalIdentity/replayDigest``.
    ///
    /// - Parameters:
    ///   - credential: the untrusted `credential` object of the request.
    ///   - now: the wall clock for `exp` and `iat`.
    /// - Throws: ``ProviderError``; every refusal has its own code.
    func verify(_ credential: JSONObject, at now: Date) async throws(ProviderError) -> ExternalIdentity
}

extension TokenSignIn {
    package var bindsNonces: Bool { true }

    /// Cached keys suffice to check a signed token.
    package func asksProvider(about credential: JSONObject) -> Bool { false }
}

/// A provider that records its health.
package protocol ReportsHealth: IdentityProvider {
    var health: ProviderHealth { get }
}

/// A provider with cached documents (discovery, key set).
package protocol KeepsDocuments: IdentityProvider {
    /// Fetches the documents for which the first sign-in would otherwise wait.
    ///
    /// It never fails: an unreachable provider starts as unavailable, and the next sign-in asks it again.
    func preload() async

    /// Refreshes due documents, so that the first sign-in after an idle night does not use old keys.
    func refreshDue() async
}
