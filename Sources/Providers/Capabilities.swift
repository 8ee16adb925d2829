package import FoundationEssentials
package import JSON

/// A provider whose tokens or codes an app posts.
package protocol TokenSignIn: IdentityProvider {
    /// Whether what an app posts can carry a nonce.
    var bindsNonces: Bool { get }

    /// Whether checking a credential takes a request that is made for it alone, such as the exchange of a code.
    ///
    /// Whoever posts can have any number of them made: the caller has to hold them back. Documents that are kept here
    /// don't count, nor does what is refused for its shape.
    func asksProvider(about credential: JSONObject) -> Bool

    /// Checks what an app posted and says whom it names.
    ///
    /// Members that the provider doesn't know are ignored. Nothing is remembered: spending the nonce and refusing a
    /// second use of the same credential are the caller's, by ``ExternalIdentity/nonce`` and
    /// ``ExternalIdentity/replayDigest``.
    ///
    /// - Parameters:
    ///   - credential: the `credential` object of the request, believed in nothing.
    ///   - now: the wall clock that `exp` and `iat` are held against.
    /// - Throws: ``ProviderError``; every refusal has its own code.
    func verify(_ credential: JSONObject, at now: Date) async throws(ProviderError) -> ExternalIdentity
}

extension TokenSignIn {
    package var bindsNonces: Bool { true }

    /// A signed token is checked with keys that are here.
    package func asksProvider(about credential: JSONObject) -> Bool { false }
}

/// A provider that keeps a record of how it has been doing.
package protocol ReportsHealth: IdentityProvider {
    var health: ProviderHealth { get }
}

/// A provider whose documents (discovery, key set) are kept here between sign-ins.
package protocol KeepsDocuments: IdentityProvider {
    /// Fetches what the first sign-in would have to wait for. Never fails: a provider that is down starts as
    /// unavailable and is asked again when somebody needs it.
    func preload() async

    /// Refreshes what is due, so that an idle night doesn't leave a morning's first sign-in with yesterday's keys.
    func refreshDue() async
}
