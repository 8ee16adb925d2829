import JSON
import Outbound
import Synchronization

/// An issuer's discovery document, fetched once for all callers and refreshed in the background.
///
/// It survives while the issuer is down. A newer document that moves to another host is not accepted. The operator is
/// notified, and the old document remains in use. A restart accepts the issuer's present document.
final class IssuerMetadataCache: Sendable {
    private struct State {
        var schedule = RefreshSchedule()
        var metadata: IssuerMetadata?
        var flight: Task<Void, Never>?
    }

    private let url: String
    private let issuers: [String]
    private let origin: String?
    private let upstream: Upstream
    private let state = Mutex(State())

    /// - Parameters:
    ///   - issuers: the configured issuer and its equivalent spellings.
    ///   - base: the address for calls: the issuer itself, or the operator's replacement.
    ///   - origin: the operator's replacement, if any; addresses below it need not be https.
    init(issuers: [String], at base: String, origin: String?, upstream: Upstream) {
        url = (base.hasSuffix("/") ? String(base.dropLast()) : base) + "/.well-known/openid-configuration"
        self.issuers = issuers
        self.origin = origin
        self.upstream = upstream
    }

    /// The document, waiting for it only if none exists yet.
    func current() async throws(ProviderError) -> IssuerMetadata {
        let (usable, flight) = look()
        if let usable { return usable }
        await flight?.value
        let (now, arrived) = (upstream.now(), state.withLock { $0 })
        if let metadata = arrived.metadata, arrived.schedule.isUsable(at: now) { return metadata }
        throw .unavailable(reason: "discovery_unavailable", retryAfter: arrived.schedule.retryAfter(at: now))
    }

    /// The authorization page of the issuer.
    func authorizationURL() async throws(ProviderError) -> String {
        guard let url = try await current().authorizationURL else {
            throw .misconfigured(reason: "authorization_endpoint_missing")
        }
        return url
    }

    /// Whether the `iss` parameter of an answer is the issuer's, byte for byte; absence is valid if none was promised.
    func accepts(_ issuer: String?) async throws(ProviderError) -> Bool {
        guard let issuer else { return try await !current().promisesIssuer }
        return issuers.contains { $0.hasSameBytes(as: issuer) }
    }

    private func look() -> (IssuerMetadata?, Task<Void, Never>?) {
        let now = upstream.now()
        return state.withLock { state in
            if state.schedule.isDue(at: now), state.schedule.mayAsk(at: now) {
                state.schedule.began()
                // An unstructured task, because other requests wait for it too.
                state.flight = Task { await self.fetch() }
            }
            return (state.schedule.isUsable(at: now) ? state.metadata : nil, state.flight)
        }
    }

    private func fetch() async {
        let fetched = await load()
        let (now, jitter) = (upstream.now(), Double.random(in: 0..<1))
        state.withLock { state in
            state.flight = nil
            guard let (metadata, life) = fetched else { return state.schedule.failed(at: now, jitter: jitter) }
            guard state.metadata?.staysPut(comparedWith: metadata) ?? true else {
                refuse("discovery_moved")
                return state.schedule.refused(at: now, jitter: jitter)
            }
            state.metadata = metadata
            state.schedule.succeeded(at: now, life: life, jitter: jitter)
        }
    }

    private func load() async -> (IssuerMetadata, life: Int?)? {
        let request = HTTPRequest.get(url, headers: [("Accept", "application/json")])
        guard let response = try? await upstream.send(request, by: upstream.deadline()) else { return nil }
        guard response.status == 200,
            let metadata = IssuerMetadata(parsing: response.body, issuers: issuers, origin: origin)
        else {
            refuse("discovery_invalid")
            return nil
        }
        return (metadata, RefreshSchedule.life(cacheControl: response.header("Cache-Control")))
    }

    private func refuse(_ reason: String) {
        upstream.health.note(.documentRefused)
        upstream.health.failed(reason)
    }
}
