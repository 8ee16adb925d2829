import Postgres
import TestSupport
import Testing

/// Connections to the database that stay open without answers.
@Suite("A database that freezes")
struct FrozenDatabaseTests {
    @Test("K2: an ended session is not accepted a second after its end, though all connections of the server freeze")
    func endedSession() async throws {
        try await PrivateGateway.with { place in
            let gateway = place.gateway
            let person = try await gateway.anyone()
            for _ in 0..<3 { #expect(try await gateway.checkSession(person.accessToken).status == 200) }
            let backends = try await onServer(place.cluster.url) { connection in
                try connection.query("select pid from pg_stat_activity where application_name = 'login-gateway'")
                    .map { try $0.value(0, as: Int32.self) }
            }
            try #require(backends.count >= 2)
            try await ChildProcess.run(["kill", "-STOP"] + backends.map(String.init))
            _ = try await onServer(place.cluster.url) { connection in
                try connection.execute(
                    "select end_session(\(person.account)::uuid, \(person.session)::uuid, 'a test', null, null, null)")
            }
            let ended = ContinuousClock.now
            // Requests that need the database wait for it.
            let checks = try await inParallel(0..<25) { number in
                try await Task.sleep(until: ended + .milliseconds(100 * number))
                let sent = ContinuousClock.now - ended
                return (sent, try await gateway.checkSession(person.accessToken).status)
            }
            try await ChildProcess.run(["kill", "-CONT"] + backends.map(String.init))
            let late = checks.filter { $0.0 >= .seconds(1) }
            #expect(late.count >= 10)
            #expect(late.allSatisfy { $0.1 != 200 }, "\(checks.map { "\($0.0): \($0.1)" })")
            _ = try await poll { try await gateway.checkSession(person.accessToken).code == "session_ended" ? () : nil }
        }
    }

    @Test("K6: a primary that hangs is abandoned long before the request's deadline, and the promoted standby serves")
    func hangingPrimary() async throws {
        try await withDeployment { deployment in
            try await withPrivateCluster { primary in
                let migration = try await deployment.run("migrate", changes: ["DATABASE_URL": primary.url])
                try #require(migration.exitCode == 0, "\(migration.errors)")
                let standby = try await primary.standby(named: "second")
                let url = "postgresql://postgres@/postgres?host=\(primary.folder),\(standby.folder)"
                let changes = ["DATABASE_URL": url, "REQUEST_TIMEOUT_SECONDS": "60"]
                do {
                    try await deployment.serving(changes) { gateway in
                        try await expectFailOver(gateway, from: primary, to: standby)
                    }
                    await standby.remove()
                } catch {
                    await standby.remove()
                    throw error
                }
            }
        }
    }

    private func expectFailOver(_ gateway: GatewayProcess, from primary: PrivateCluster, to standby: PrivateCluster)
        async throws
    {
        let person = try await gateway.anyone()
        try await poll {
            try await primary.count(
                "select count(*) from pg_stat_replication where replay_lsn = pg_current_wal_lsn()") == 1 ? () : nil
        }
        try await primary.freeze()
        let frozen = ContinuousClock.now
        async let answer = gateway.refresh(person.refreshToken)
        try await standby.promote()
        let refused = try await answer
        #expect(refused.status == 503, "\(refused.text)")
        #expect(refused.duration < .seconds(9))
        try await poll { try await gateway.refresh(person.refreshToken).status == 200 ? () : nil }
        #expect(ContinuousClock.now - frozen < .seconds(15))
        try await poll { try await gateway.get("/health/ready").status == 200 ? () : nil }
    }
}
