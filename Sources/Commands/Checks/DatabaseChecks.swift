import Audit
import Clients
import Foundation
import GatewaySettings
import HTTPServer
import JSON
import Outbound
import Postgres
import Sessions

/// Checks of the database: connection and version, schema, clock, and the keys that it stores.
struct DatabaseChecks: Sendable {
    let configuration: GatewayConfiguration
    let pool: ConnectionPool

    /// `server_version_num` of the oldest supported PostgreSQL.
    private static let oldestVersion = 150_000

    var connection: DeploymentCheck {
        check("database") {
            let version = try await pool.withConnection { connection in
                try connection.queryOne("select current_setting('server_version_num')::int")?.value(0, as: Int32.self)
            }
            guard let version, version >= Self.oldestVersion else {
                return .failed("PostgreSQL is older than 15", remedy: "Use PostgreSQL 15 or newer.")
            }
            return .passed("PostgreSQL \(version / 10_000) answers")
        }
    }

    /// - Parameter isNew: whether the schema need not exist yet.
    func schema(isNew: Bool) -> DeploymentCheck {
        check("schema") {
            do {
                try await Schema.requireCurrent(pool)
                return .passed("it is up to date")
            } catch let error as PostgresError where error.isWithoutConnection {
                return .skipped("the database does not answer")
            } catch  where isNew {
                return .warning("the tables are missing or older", remedy: "Run gateway migrate before gateway serve.")
            } catch let problem as Schema.Problem {
                return .failed(problem.description, remedy: "Run gateway migrate.")
            }
        }
    }

    var clock: DeploymentCheck {
        check("clock") {
            let clock = DatabaseClock(limit: Double(configuration.server.clockLimit))
            let offset = try await clock.compare(with: pool)
            let seconds = Int(abs(offset).rounded())
            guard clock.isSound else {
                return .failed(
                    "this machine and the database differ by \(seconds) seconds",
                    remedy: "Synchronize both clocks (NTP). Every request gets 503 until then.")
            }
            guard abs(offset) > DatabaseClock.tolerance else { return .passed("it agrees with the database") }
            return .warning(
                "this machine and the database differ by \(seconds) seconds", remedy: "Synchronize both clocks (NTP).")
        }
    }

    /// The stored signing keys open with the master keys, and the public address publishes the ES256 keys.
    ///
    /// The RS256 keys of dialects are in the key sets of their issuers.
    func signingKeys(_ transport: any HTTPTransport) -> DeploymentCheck {
        check("signing keys") {
            let keys = try await SigningKeyStore(pool: pool, keys: configuration.masterKeys).load()
            guard !keys.isEmpty else {
                return .failed("there is none", remedy: "Start the gateway: its first start creates them.")
            }
            let url = configuration.server.publicURL + "/.well-known/jwks.json"
            guard let answer = try? await transport.send(.get(url)), let set = try? JSON(parsing: answer.body) else {
                return .skipped("\(keys.count) open with MASTER_KEYS; the public address does not answer")
            }
            let published = set["keys"]?.array?.compactMap { $0["kid"]?.string } ?? []
            guard keys.allSatisfy({ $0.algorithm != .es256 || published.contains($0.id) }) else {
                return .failed(
                    "the public address does not publish the keys of this database",
                    remedy: "Let every server use the same DATABASE_URL, and disable caching of that path in the proxy."
                )
            }
            return .passed("\(keys.count) open with MASTER_KEYS and are published")
        }
    }

    /// Events are sealed, and the serving role can't remove one before that.
    var auditLog: DeploymentCheck {
        check("audit log") {
            let age = try await AuditInboxWatch.oldest(in: pool)
            guard age <= AuditInboxWatch.longestWait else {
                return .failed(
                    "an event has waited \(Int(age)) seconds to be sealed",
                    remedy: "Read the server's log, and look in pg_locks for the holder of the sealing lock.")
            }
            let mayRemove = try await pool.withConnection { connection in
                try connection.row("select has_table_privilege('audit_inbox', 'delete, truncate, trigger')")
                    .value(0, as: Bool.self)
            }
            guard mayRemove else { return .passed("events are sealed, and this role can't remove one") }
            return .warning(
                "events are sealed, but this role could remove one before that",
                remedy: "Run deploy/postgres/roles.sql, and serve as gateway_serve.")
        }
    }

    /// Each configured provider is in the list of an enabled app.
    func offers(of providers: [String]) -> DeploymentCheck {
        check("apps") {
            let offered = try await pool.query(
                "select distinct unnest(providers) from clients where disabled_at is null"
            ) { try $0.value(0, as: String.self) }
            let unused = providers.filter { !offered.contains($0) }
            guard let first = unused.first else { return .passed("they offer every configured provider") }
            return .warning(
                "no app offers \(unused.joined(separator: ", "))",
                remedy: "Add it to an app on the console, or with gateway clients change ID --add-provider \(first).")
        }
    }

    /// Checks that every setting of the first app equals the value in the database, because starts no longer read it.
    var firstApp: DeploymentCheck {
        check("first app") {
            guard configuration.firstClient != nil else { return .skipped("CLIENT_ID is not set") }
            let stale = try await FirstApp.staleSettings(configuration, pool)
            guard !stale.isEmpty else { return .passed("its settings are those of the database") }
            return .warning(
                stale.map(\.fault).joined(separator: "; "), remedy: configuration.remedy(for: stale))
        }
    }

    private func check(
        _ name: String, _ body: @escaping @Sendable () async throws -> DeploymentCheck.Result
    ) -> DeploymentCheck {
        let database = configuration.database.connection(applicationName: "login-gateway doctor")
        return DeploymentCheck(name) {
            do {
                return try await body()
            } catch let error as PostgresError where error.isWithoutConnection && name != "database" {
                return .skipped("the database does not answer")
            } catch {
                return await Self.failure(error, at: database)
            }
        }
    }

    private static func failure(_ error: any Error, at database: PostgresConfiguration) async -> DeploymentCheck.Result
    {
        guard let error = error as? PostgresError, error.isWithoutConnection else {
            return .failed(StartFailure.sentence(for: error), remedy: "See docs/operations.md, “The database”.")
        }
        let refusal = await ConnectionRefusal.found(database)
        guard let refusal, let state = refusal.state else {
            return .failed(
                "PostgreSQL does not answer" + (refusal.map { ": \($0.message)" } ?? ""),
                remedy: "Check DATABASE_URL, and whether PostgreSQL is running and reachable from this machine.")
        }
        return .failed(
            "PostgreSQL refused the connection: \(refusal.message)", remedy: StartFailure.remedy(for: state))
    }
}
