package import Cryptography
import Foundation
package import Logging
import Metrics
package import Postgres
package import Providers
import ServiceLifecycle

/// Asks providers whether stored tokens still hold, each at most once a day: a person who took back their consent at the
/// provider is signed out here too, also where no notification came.
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
    /// With the interval, what one server asks a day at most: some 138,000.
    private static let atOnce = 8
    /// How long a provider that can't answer is left alone, in seconds.
    private static let pause = 3_600.0...7_200.0
    /// Of how many people within ``doubtSeconds`` a provider may doubt the tokens before the fault is taken for ours.
    private static let mostDoubtful = 3
    private static let doubtSeconds: Int32 = 3_600
    /// Between two checks of one token, in seconds: providers allow one a day.
    private static let pauseSeconds: Int32 = 86_400
    /// Up to so many seconds more, so that what was stored together is not asked about together.
    private static let spreadSeconds: Int32 = 7_200

    package init(pool: ConnectionPool, providers: ProviderRegistry, keys: MasterKeys, logger: Logger) {
        (self.pool, self.providers, box, self.logger) = (pool, providers, SealedBox(keys), logger)
    }

    package func run() async throws {
        try await repeatUntilShutdown(every: Self.interval) {
            // Without a database there is nothing to check; it is asked again soon.
            try? await checkDue()
        }
    }

    private func checkDue() async throws {
        let able = providers.all((any ChecksTokens).self).filter(\.canCheck)
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
        return try await pool.withConnection { connection in
            try connection.query(
                """
                select identity_id, stored_at, provider, client_id, kind, sealed
                  from take_token_checks(\(providers), \(realms), \(Int32(Self.atOnce)), \(Self.pauseSeconds), \(Self.spreadSeconds))
                """
            ).map { row in
                Check(
                    identity: try row.value(0), storedAt: try row.value(1),
                    token: StoredToken(
                        provider: try row.value(2), clientID: try row.value(3), kind: try row.value(4),
                        sealed: try row.value(5)))
            }
        }
    }

    /// Answers with the provider where the end that a doubt would mean is held back.
    private func perform(_ check: Check) async -> String? {
        let provider = check.token.provider
        let state = await state(of: check.token)
        Self.count(state, of: provider)
        // A settling that is lost is made up for at the next check.
        guard state == TokenStanding.doubtful.rawValue else {
            try? await settle(check, state)
            return nil
        }
        guard let word = try? await settleDoubtful(check), word == .heldBack else { return nil }
        Self.count(word.rawValue, of: provider)
        return provider
    }

    private static func count(_ outcome: String, of provider: String) {
        Counter(
            label: "provider_token_checks_total", dimensions: [("provider", provider), ("outcome", outcome)]
        ).increment()
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
        _ = try await pool.withConnection { connection in
            try connection.execute(
                """
                select settle_token_check(\(check.identity), \(token.clientID), \(token.kind), \(check.storedAt), \(state), \(retry))
                """)
        }
    }

    /// What began with the identity ends, unless it is many people's at once (`provider_life_cycle/settle_doubtful_token.sql`).
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

/// What became of a token that the provider doubts (`settle_doubtful_token`).
enum DoubtSettling: String, OutcomeWord {
    static let functions = ["settle_doubtful_token"]

    case ended, known, gone
    case heldBack = "held_back"
}
