import Clients
import Cryptography
package import Logging
package import Outbound
import Providers
import Synchronization
import Vocabulary

/// Finds the keys with which clients sign: in their settings, or in the key sets that they publish (`jwks_uri`).
package final class ClientKeySets: Sendable {
    private let upstream: Upstream
    private let budget: FetchBudget
    private let logger: Logger
    /// By address; the oldest make room, so that no client fills the memory.
    private let caches = Mutex(TwoGenerationCache<String, KeySetCache>(capacity: 1_000))

    /// In bytes.
    private static let longest = 65_536

    package init(transport: any HTTPTransport, budget: FetchBudget, logger: Logger) {
        upstream = Upstream(transport: transport, health: ProviderHealth(provider: .clientKeys))
        (self.budget, self.logger) = (budget, logger)
    }

    /// The key that an assertion names; nil if its client has none with this name.
    ///
    /// - Throws: `providerUnavailable` if the published set can't be read now. `throttled` for an app that nobody
    ///   vouches for: only a fetch is charged.
    func key(of assertion: ClientAssertion, by client: Client, _ caller: Caller) async throws(Rejection) -> JWK? {
        guard let (id, algorithm) = assertion.keyName else { return nil }
        switch client.openID.keys {
        case nil: return nil
        case .listed(let set): return set.key(id: id, algorithm: algorithm)
        case .published(let address):
            let cache = cache(of: address)
            if !client.isProved, cache.wouldFetch(for: id, algorithm: algorithm) {
                try await budget.charge(address, by: caller)
            }
            do throws(ProviderError) {
                return try await cache.key(id: id, algorithm: algorithm)
            } catch {
                if case .refused = error { return nil }
                logger.info(
                    "a client's keys can't be read", metadata: ["client": "\(client.id)", "address": "\(address)"])
                throw Rejection(error)
            }
        }
    }

    private func cache(of address: String) -> KeySetCache {
        caches.withLock { caches in
            if let known = caches[address] { return known }
            let new = KeySetCache(
                at: address, algorithms: ClientAssertion.algorithms, longest: Self.longest, upstream: upstream)
            caches[address] = new
            return new
        }
    }
}

extension ProviderID {
    /// The name of clients' key sets in metrics.
    fileprivate static let clientKeys = ProviderID(known: "client-keys")
}
