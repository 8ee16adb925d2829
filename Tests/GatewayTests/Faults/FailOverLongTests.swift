import Postgres
import TestSupport
import Testing

/// PostgreSQL under Patroni and etcd, as docs/operations.md describes it.
@Suite("Fail-over by Patroni")
struct FailOverLongTests {
    /// The lease of a dead primary lasts 20 seconds.
    ///
    /// Beside the other tests an election takes several times as long.
    private static let limit = Duration.seconds(180)

    @Test(
        "A-23: under load a replica is promoted twice: sign-ins continue, and no acknowledged change is lost")
    func promotedUnderLoad() async throws {
        try await withDeployment { deployment in
            try await withPatroniCluster { cluster in
                let migration = try await deployment.run(
                    "migrate", changes: ["DATABASE_URL": try await cluster.url("gateway_migrate")])
                #expect(migration.exitCode == 0, "\(migration.errors)")
                try await cluster.run("roles")
                let changes = [
                    "DATABASE_URL": try await cluster.url("gateway_serve"), "REQUEST_TIMEOUT_SECONDS": "5",
                ]
                try await deployment.serving(changes) { gateway in
                    let earlier = try await gateway.anyone()
                    let load = SignInLoad(gateway)
                    try await load.run(clients: 4) { try await Self.promoteTwice(cluster, load) }
                    try await Self.expectKept(gateway, earlier, load.acknowledged)
                    try await Self.expectKept(in: cluster, load.acknowledged)
                    try await Self.expectVerified(onReplicaOf: cluster, deployment)
                    for refusal in load.refusals { #expect(refusal.status == 503, "\(refusal.text)") }
                    #expect(gateway.child.exitCode == nil)
                }
            }
        }
    }

    /// A planned switch, then the loss of the new primary.
    private static func promoteTwice(_ cluster: PatroniCluster, _ load: SignInLoad) async throws {
        try await load.goesOn(for: 20, within: limit)
        let first = try await cluster.run("primary")
        let second = try await cluster.run("switch")
        #expect(second != first)
        try await load.goesOn(for: 20, within: limit)
        let lost = try await cluster.run("kill", "primary")
        #expect(lost == second)
        try await load.goesOn(for: 20, within: limit)
        let third = try await cluster.run("primary")
        #expect(third != lost)
    }

    /// An earlier session is valid, and a used credential is refused.
    private static func expectKept(
        _ gateway: GatewayProcess, _ earlier: SignedInAnswer, _ acknowledged: [SignInLoad.Acknowledged]
    ) async throws {
        #expect(try await gateway.checkSession(earlier.accessToken).status == 200)
        let renewed = try await gateway.refreshed(earlier.refreshToken)
        #expect(renewed.session == earlier.session)
        for one in acknowledged.suffix(60) {
            #expect(try await gateway.checkSession(one.session.accessToken).status == 200)
            let again = try await gateway.signIn(one.minted)
            #expect(again.status == 401, "\(again.text)")
        }
    }

    private static func expectKept(in cluster: PatroniCluster, _ acknowledged: [SignInLoad.Acknowledged]) async throws {
        let url = try await cluster.url("postgres")
        let sessions = acknowledged.map(\.session.session)
        let kept: SQL = "select count(*) from sessions where ended_at is null and id::text = any (\(sessions))"
        #expect(try await count(kept, url) == sessions.count)
        try await Invariants.check { try await count($0, url) }
    }

    /// Reads that a replica can serve.
    private static func expectVerified(onReplicaOf cluster: PatroniCluster, _ deployment: Deployment) async throws {
        let url = try await cluster.url("gateway_serve").replacing("=read-write", with: "=standby")
        let verification = try await deployment.run("audit", "verify", changes: ["DATABASE_URL": url])
        #expect(verification.exitCode == 0, "\(verification.errors)")
    }

    private static func count(_ query: SQL, _ url: String) async throws -> Int {
        try await onServer(url) { try $0.queryOne(query).map { try $0.value(0, as: Int.self) } ?? 0 }
    }
}
