package import Cryptography
import Outbound
import Synchronization

/// The signing keys of one issuer, or of one client that publishes them, by the rules of ``KeySetMachine``.
///
/// Looking up a known key takes a lock for a moment and never waits. The lock is never held across an `await`.
package final class KeySetCache: Sendable {
    /// The source of the keys; never taken from a token.
    enum Source: Sendable {
        case pinned(String)
        case discovered(IssuerMetadataCache)
    }

    private struct State {
        var machine = KeySetMachine()
        var flight: Task<Void, Never>?
    }

    private let source: Source
    private let algorithms: Set<SignatureAlgorithm>
    private let upstream: Upstream
    /// In bytes.
    private let longest: Int
    private let state = Mutex(State())

    init(source: Source, algorithms: Set<SignatureAlgorithm>, upstream: Upstream, longest: Int = 262_144) {
        self.source = source
        self.algorithms = algorithms
        self.upstream = upstream
        self.longest = longest
    }

    /// - Parameters:
    ///   - address: of the key set.
    ///   - longest: the limit of the key set, in bytes.
    package convenience init(
        at address: String, algorithms: Set<SignatureAlgorithm>, longest: Int, upstream: Upstream
    ) {
        self.init(source: .pinned(address), algorithms: algorithms, upstream: upstream, longest: longest)
    }

    /// The key that a token names.
    ///
    /// - Throws: `refused(.keyUnknown)` when a set that was fetched for this id has no such key. `unavailable` when the
    ///   set cannot be read, or not yet again.
    package func key(id: String, algorithm: SignatureAlgorithm) async throws(ProviderError) -> JWK {
        var (answer, flight) = look(for: id, algorithm: algorithm)
        // Repeats if the first fetch had begun before the lookup.
        for _ in 0..<2 {
            guard case .wait = answer else { break }
            await flight?.value
            (answer, flight) = look(for: id, algorithm: algorithm)
        }
        switch answer {
        case .key(let key): return key
        case .unknown: throw .refused(.keyUnknown)
        case .wait: throw .unavailable(reason: "key_set_unavailable", retryAfter: 1)
        case .unavailable(let seconds): throw .unavailable(reason: "key_set_unavailable", retryAfter: seconds)
        }
    }

    /// Whether a lookup would start a fetch and wait for it.
    package func wouldFetch(for id: String, algorithm: SignatureAlgorithm) -> Bool {
        var machine = state.withLock { $0.machine }
        let step = machine.look(for: id, algorithm: algorithm, at: upstream.now())
        if case .wait = step.answer { return step.startsFetch }
        return false
    }

    /// Fetches the set and waits, if there is none or most of its life is over.
    func refreshIfDue() async {
        let now = upstream.now()
        let flight = state.withLock { state in
            if state.machine.beginIfDue(at: now) { state.flight = startFetch() }
            return state.flight
        }
        await flight?.value
    }

    private func look(
        for id: String, algorithm: SignatureAlgorithm
    ) -> (KeySetMachine.Answer, Task<Void, Never>?) {
        let now = upstream.now()
        return state.withLock { state in
            let step = state.machine.look(for: id, algorithm: algorithm, at: now)
            if step.startsFetch { state.flight = startFetch() }
            return (step.answer, state.flight)
        }
    }

    /// An unstructured task, because other requests wait for it too and it outlives them.
    private func startFetch() -> Task<Void, Never> {
        Task { await self.fetch() }
    }

    private func fetch() async {
        let fetched = await load()
        let (now, jitter) = (upstream.now(), Double.random(in: 0..<1))
        state.withLock { state in
            state.flight = nil
            if let (set, life) = fetched {
                state.machine.fetched(set, life: life, at: now, jitter: jitter)
            } else {
                state.machine.fetchFailed(at: now, jitter: jitter)
            }
        }
        if fetched != nil { upstream.health.keySetArrived() }
    }

    private func load() async -> (JWKSet, life: Int?)? {
        let deadline = upstream.deadline()
        guard let (url, accepted) = await place() else { return nil }
        var request = HTTPRequest.get(url, headers: [("Accept", "application/json")])
        request.maximumBytes = longest
        guard let response = try? await upstream.send(request, by: deadline) else { return nil }
        guard response.status == 200, let set = try? JWKSet(parsing: response.body, accepting: accepted),
            !set.isEmpty, !set.hasAmbiguity
        else {
            upstream.health.note(.documentRefused)
            upstream.health.failed("key_set_invalid")
            return nil
        }
        return (set, RefreshSchedule.life(cacheControl: response.header("Cache-Control")))
    }

    /// The address and the accepted algorithms; the issuer may narrow the operator's algorithms, never widen them.
    private func place() async -> (url: String, accepted: Set<SignatureAlgorithm>)? {
        switch source {
        case .pinned(let url):
            return (url, algorithms)
        case .discovered(let cache):
            guard let metadata = try? await cache.current() else { return nil }
            return (metadata.keySetURL, metadata.algorithms.map(algorithms.intersection) ?? algorithms)
        }
    }
}
