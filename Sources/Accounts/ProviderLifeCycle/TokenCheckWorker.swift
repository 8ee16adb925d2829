package import Cryptography
import Foundation
package import Logging
import Metrics
package import Postgres
package import Providers
import ServiceLifecycle
import Vocabulary

/// Checks stored tokens at their providers, each at most once a day.
///
/// A user who withdrew consent at the provider is signed out here too, even without a notification.
package struct TokenCheckWorker: Service {
    private struct Check: Sendable {
        let identity: UUID
        let storedAt: Date
        let token: StoredToken
    }

    private let pool: ConnectionPool
    private let providers: ProviderRegistry
    private let box: SealedBox
    private let logger: Logger

    private static let interval = Duration.seconds(5)
    /// With the interval, limits one server to some 138,000 checks a day.
    private static let atOnce = 8
    /// The pause for a provider that can't answer, in seconds.
    private static let pause = 3_600.0...7_200.0
    /// The number of users whom a provider may doubt within ``doubtSeconds`` before we assume our own fault.
    private static let mostDoubtful = 3
    private static let doubtSeconds: Int32 = 3_600
    /// Seconds between two checks of one token, because providers allow one a day.
    private static let pauseSeconds: Int32 = 86_400
    /// The maximum random addition in seconds, so that tokens stored together are checked apart.
    private static let spreadSeconds: Int32 = 7_200

    package init(pool: ConnectionPool, providers: ProviderRegistry, keys: MasterKeys, logger: Logger) {
        (self.pool, self.providers, box, self.logger) = (pool, providers, SealedBox(keys), logger)
    }

    package func run() async throws {
        // Prometheus sees an increase only from a value before it.
        for provider in able { Self.count(DoubtSettling.heldBack.rawValue, of: provider.id.rawValue, by: 0) }
        try await repeatUntilShutdown(every: Self.interval) {
            // Without the database there is no work; the next poll comes soon.
            try? await checkDue()
        }
    }

    private var able: [any ChecksTokens] { providers.all((any ChecksTokens).self).filter(\.canCheck) }

    private func checkDue() async throws {
        let able = able
        guard !able.isEmpty else { return }
        let checks = try await take(of: able)
        let heldBack = await withTaskGroup(of: String?.self, returning: [String: Int].self) { group in
            for check in checks { group.addTask { await perform(check) } }
            var counts: [String: Int] = [:]
            for await case let provider? in group { counts[provider, default: 0] += 1 }
            return counts
        }
        for (provider, count) in heldBack {
            logger.error(
                "a provider doubts many stored tokens at once: no session ends for it, look at its configuration",
                metadata: ["provider": "\(provider)", "held_back": "\(count)"])
        }
    }

    private func take(of able: [any ChecksTokens]) async throws -> [Check] {
        let (providers, realms) = (able.map(\.id.rawValue), able.map(\.checkedRealm))
        return try await pool.query(
            """
            select identity_id, stored_at, provider, client_id, kind, sealed
              from take_token_checks(\(providers), \(realms), \(Int32(Self.atOnce)), \(Self.pauseSeconds), \(Self.spreadSeconds))
            """
        ) { row in
            Check(
                identity: try row.value(0), storedAt: try row.value(1),
                token: StoredToken(
                    provider: try row.value(2), clientID: try row.value(3), kind: try row.value(4),
                    sealed: try row.value(5)))
        }
    }

    /// Returns the provider if the revocation that a doubt would cause is held back.
    private func perform(_ check: Check) async -> String? {
        let provider = check.token.provider
        let state = await state(of: check.token)
        Self.count(state, of: provider)
        // The next check repeats a lost settlement.
        guard state == TokenStanding.doubtful.rawValue else {
            try? await settle(check, state)
            return nil
        }
        guard let word = try? await settleDoubtful(check), word == .heldBack else { return nil }
        Self.count(word.rawValue, of: provider)
        return provider
    }

    private static func count(_ outcome: String, of provider: String, by number: Int64 = 1) {
        Counter(
            label: "provider_token_checks_total", dimensions: [("provider", provider), ("outcome", outcome)]
        ).increment(by: number)
    }

    private func state(of stored: StoredToken) async -> String {
        guard let id = ProviderID(rawValue: stored.provider), let provider = providers[id] as? any ChecksTokens,
            let token = stored.opened(by: box)
        else { return "unknown" }
        do throws(ProviderError) {
            let standing = try await provider.standing(of: token, at: Date())
            if standing == .doubtful {
                logger.warning("a provider neither takes nor refuses a stored token", metadata: ["provider": "\(id)"])
            }
            return standing.rawValue
        } catch {
            return "unknown"
        }
    }

    private func settle(_ check: Check, _ state: String) async throws {
        let (token, retry) = (check.token, Double.random(in: Self.pause))
        try await pool.execute(
            """
            select settle_token_check(\(check.identity), \(token.clientID), \(token.kind), \(check.storedAt), \(state), \(retry))
            """)
    }

    /// Ends the sessions of the identity, unless many users are affected at once
    /// (`provider_life_cycle/settle_doubtful_token.sql`).
    private func settleDoubtful(_ check: Check) async throws -> DoubtSettling {
        let token = check.token
        return try await pool.withConnection { connection in
            try connection.row(
                """
                select settle_doubtful_token(\(check.identity), \(token.clientID), \(token.kind), \(check.storedAt),
                                             \(Int32(Self.mostDoubtful)), \(Self.doubtSeconds))
                """
            ).value(0)
        }
    }
}

/// The outcomes of `settle_doubtful_token`.
enum DoubtSettling: String, OutcomeWord {
    static let functions = ["settle_doubtful_token"]

    case ended, known, gone
    case heldBack = "held_back"
}
