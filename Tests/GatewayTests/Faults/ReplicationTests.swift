import JSON
import Postgres
import TestSupport
import Testing

/// Synchronous replication: a commit waits until the standby has it.
@Suite("Synchronous replication")
struct ReplicationTests {
    @Test("K1: a change with a commit that waits for a standby gets 503 outcome_unknown, never success")
    func notAcknowledged() async throws {
        try await PrivateGateway.with { place in
            let gateway = place.gateway
            let people = try await inParallel(0..<4) { _ in try await gateway.anyone() }
            let unused = try await gateway.simulator.mint("google", ["subject": .string(Fresh.subject("google"))])
            try await place.whileCommitsWait {
                let answers = try await inParallel(0..<4) { number in
                    switch number {
                    case 0: try await gateway.signOut(people[0].accessToken)
                    case 1: try await gateway.refresh(people[1].refreshToken)
                    case 2: try await gateway.signOut(people[2].accessToken, scope: "global")
                    default: try await gateway.signIn(unused)
                    }
                }
                for answer in answers {
                    #expect(answer.status == 503, "\(answer.text)")
                    #expect(answer.code == "outcome_unknown", "\(answer.text)")
                    #expect(Int(answer.header("Retry-After") ?? "") ?? 0 >= 1)
                    #expect(answer.duration < .seconds(8))
                }
                // PostgreSQL was not asked to stop waiting: that would have kept the changes without a notification.
                #expect(try await place.count("select count(*) from sessions where ended_at is not null") == 0)
                let command = try await place.deployment.run(
                    ["accounts", "disable", people[3].account, "--yes", "--reason", "a test"], changes: place.database)
                #expect(command.exitCode == 69, "\(command.errors)")
                #expect(command.errors.contains("may have been committed"))
            }
            try await place.waitUntil("writes", is: "ok")
            #expect(try await gateway.checkSession(people[0].accessToken).code == "session_ended")
        }
    }
}

/// The same rules for cancelled waits, many of them, and a promotion.
@Suite("Synchronous replication, lost and promoted")
struct ReplicationLongTests {
    @Test("K1: cancelling the wait for a standby is not an acknowledgement")
    func cancelledByAnother() async throws {
        try await PrivateGateway.with(["REQUEST_TIMEOUT_SECONDS": "60"]) { place in
            let person = try await place.gateway.anyone()
            try await place.whileCommitsWait {
                async let answer = place.gateway.signOut(person.accessToken)
                try await poll { try await place.waitingCommits("login-gateway") > 0 ? () : nil }
                _ = try await place.count(
                    """
                    select count(pg_cancel_backend(pid)) from pg_stat_activity
                     where wait_event = 'SyncRep' and application_name = 'login-gateway'
                    """)
                let told = try await answer
                #expect(told.status == 503, "\(told.text)")
                #expect(told.code == "outcome_unknown", "\(told.text)")
            }
        }
    }

    @Test("K1: while commits wait the server is not ready and uses up no connections; then it becomes ready again")
    func bounded() async throws {
        try await PrivateGateway.with { place in
            let gateway = place.gateway
            let people = try await inParallel(0..<8) { _ in try await gateway.anyone() }
            try await place.whileCommitsWait {
                for _ in 0..<3 {
                    let answers = try await inParallel(people) { try await gateway.refresh($0.refreshToken) }
                    for answer in answers { #expect(answer.status == 503, "\(answer.text)") }
                }
                try await place.waitUntil("writes", is: "failing")
                // As many as DATABASE_CONNECTIONS, and one that tested whether commits work.
                #expect(try await place.waitingCommits("login-gateway") <= 7)
            }
            try await place.waitUntil("writes", is: "ok")
            _ = try await poll { try await gateway.get("/health/ready").status == 200 ? () : nil }
            #expect(try await gateway.signOut(people[0].accessToken).status == 204)
        }
    }

    @Test(
        "K1: acknowledged changes survive the loss of the standby, then of the primary, and the promotion of the standby"
    )
    func promoted() async throws {
        try await PrivateGateway.with { place in
            let standby = try await place.cluster.standby(named: "second")
            do {
                try await failOver(place, standby)
                await standby.remove()
            } catch {
                await standby.remove()
                throw error
            }
        }
    }

    private func failOver(_ place: PrivateGateway, _ standby: PrivateCluster) async throws {
        let gateway = place.gateway
        try await place.cluster.demandStandby("second")
        try await poll {
            try await place.count("select count(*) from pg_stat_replication where sync_state = 'sync'") == 1 ? () : nil
        }
        let load = Task { try await inParallel(0..<4) { _ in try await Self.signInAndOut(gateway) } }
        try await Task.sleep(for: .seconds(1))
        try await standby.kill()
        let acknowledged = try await load.value
        #expect(acknowledged.reduce(0) { $0 + $1.ended.count } > 0)
        await gateway.kill9()
        try await place.cluster.kill()
        try await standby.start()
        try await standby.promote()
        try await standby.demandStandby(nil)
        let ended = acknowledged.flatMap(\.ended)
        let kept = try await standby.count(
            "select count(*) from sessions where ended_at is not null and id::text = any (\(ended))")
        #expect(kept == ended.count)
        try await place.deployment.serving(["DATABASE_URL": standby.url]) { second in
            for used in acknowledged.flatMap(\.used) {
                let again = try await second.signIn(used)
                #expect(again.status != 200, "\(again.text)")
            }
        }
    }

    /// Signs users in and out until an answer is not an acknowledgement.
    ///
    /// - Returns: the acknowledged sessions that ended, and the acknowledged credentials.
    private static func signInAndOut(_ gateway: GatewayProcess) async throws -> (ended: [String], used: [Minted]) {
        var (ended, used): ([String], [Minted]) = ([], [])
        while true {
            let minted = try await gateway.simulator.mint("google", ["subject": .string(Fresh.subject("google"))])
            let signedIn = try await gateway.signIn(minted)
            guard signedIn.status == 200 else { return (ended, used) }
            used.append(minted)
            let session = try SignedInAnswer(signedIn)
            let signedOut = try await gateway.signOut(session.accessToken)
            guard signedOut.status == 204 else { return (ended, used) }
            ended.append(session.session)
        }
    }
}
