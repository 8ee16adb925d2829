import JSON
import Postgres
import TestSupport

/// A gateway with its own PostgreSQL server.
struct PrivateGateway: Sendable {
    let gateway: GatewayProcess
    let cluster: PrivateCluster
    let deployment: Deployment

    var database: [String: String?] { ["DATABASE_URL": cluster.url] }

    /// Limits requests to two seconds.
    static let patience = ["REQUEST_TIMEOUT_SECONDS": "2"]

    /// - Parameter preparing: runs before the schema is made.
    static func with(
        _ changes: [String: String?] = patience, preparing: (PrivateCluster) async throws -> Void = { _ in },
        _ body: (PrivateGateway) async throws -> Void
    ) async throws {
        try await withDeployment { deployment in
            try await withPrivateCluster { cluster in
                try await preparing(cluster)
                let database: [String: String?] = ["DATABASE_URL": cluster.url]
                let migration = try await deployment.run("migrate", changes: database)
                guard migration.exitCode == 0 else { throw HarnessError(migration.errors) }
                try await deployment.serving(database.merging(changes) { $1 }) { gateway in
                    try await body(PrivateGateway(gateway: gateway, cluster: cluster, deployment: deployment))
                }
            }
        }
    }

    func count(_ query: SQL) async throws -> Int { try await cluster.count(query) }

    /// Waits until `/health/ready` reports this state of a check: `ok` or `failing`.
    func waitUntil(_ check: String, is state: String) async throws {
        try await poll(within: .seconds(60)) {
            let ready = try await gateway.get("/health/ready")
            return ready.json["checks"]?[check]?.string == state ? () : nil
        }
    }

    /// Runs `body` while every commit waits for a missing standby.
    func whileCommitsWait(_ body: () async throws -> Void) async throws {
        try await cluster.demandStandby("nobody")
        let probe = Task { [url = cluster.url] in
            // The setting reaches the server's processes one by one, so that sooner or later one of these commits
            // waits.
            while !Task.isCancelled {
                try await onServer(url) { try $0.executeScript("select pg_logical_emit_message(true, 'a test', '')") }
            }
        }
        do {
            try await poll { try await waitingCommits("gateway-tests") > 0 ? () : nil }
            try await body()
        } catch {
            probe.cancel()
            try await cluster.demandStandby(nil)
            throw error
        }
        probe.cancel()
        try await cluster.demandStandby(nil)
        _ = await probe.result
    }

    /// The number of a program's connections with commits that wait for a standby.
    func waitingCommits(_ application: String) async throws -> Int {
        try await count(
            "select count(*) from pg_stat_activity where wait_event = 'SyncRep' and application_name = \(application)")
    }
}

extension PrivateCluster {
    func count(_ query: SQL) async throws -> Int {
        try await onServer(url) { try $0.queryOne(query).map { try $0.value(0, as: Int.self) } ?? 0 }
    }

    /// Sets or resets the standby that every commit waits for.
    func demandStandby(_ name: String?) async throws {
        let value = name.map { "set synchronous_standby_names = '\($0)'" } ?? "reset synchronous_standby_names"
        try await onServer(url) { connection in
            try connection.executeScript("alter system \(value)")
            try connection.executeScript("select pg_reload_conf()")
        }
    }
}
