import JSON
import Postgres
import Synchronization
import TestSupport
import Testing

/// A PostgreSQL outage.
@Suite("Database outage")
struct OutageTests {
    @Test("A-05: the database is killed under load: quick 503s, no lost change, back within five seconds")
    func outage() async throws {
        try await withDeployment { deployment in
            try await withPrivateCluster { cluster in
                let database: [String: String?] = ["DATABASE_URL": cluster.url]
                #expect(try await deployment.run("migrate", changes: database).exitCode == 0)
                try await deployment.serving(database) { gateway in
                    let kept = try await gateway.session("apple", ["subject": .string(Fresh.subject("apple"))])
                    let unused = try await inParallel(5) { _ in
                        try await gateway.simulator.mint("google", ["subject": .string(Fresh.subject("google"))])
                    }
                    let load = Task { try await inParallel(6) { _ in try await Self.refreshUntilRefused(gateway) } }
                    _ = try await poll(within: .seconds(30)) {
                        try await Self.count(cluster, "select count(*) from audit_events where action = 'refreshed'")
                            >= 12 ? () : nil
                    }
                    try await cluster.kill()
                    let chains = try await load.value
                    #expect(chains.allSatisfy { Self.isQuickRefusal($0.refusal, orUnknown: true) })
                    let refused = try await expectQuickRefusals(gateway, kept, unused)

                    try await cluster.start()
                    let restarted = ContinuousClock.now
                    _ = try await poll(within: .seconds(60)) {
                        try await gateway.get("/health/ready").status == 200 ? () : nil
                    }
                    #expect(ContinuousClock.now - restarted < .seconds(5))
                    #expect(gateway.child.exitCode == nil)
                    try await expectNothingLost(gateway, cluster, kept, chains.map(\.token))
                    try await expectAudited(refused, cluster)
                    // A credential that the outage refused was not spent.
                    try await expectOneIsUnspent(unused, gateway)
                }
            }
        }
    }

    /// Refreshes repeatedly; returns the newest acknowledged token and the final answer.
    private static func refreshUntilRefused(_ gateway: GatewayProcess) async throws -> (
        token: String, refusal: TestAnswer
    ) {
        var token = try await gateway.session("apple", ["subject": .string(Fresh.subject("apple"))]).refreshToken
        while true {
            let answer = try await gateway.refresh(token)
            guard answer.status == 200 else { return (token, answer) }
            token = try TokenPair(answer).refreshToken
        }
    }

    /// During the outage, every sign-in method refuses at once; returns the answers.
    private func expectQuickRefusals(_ gateway: GatewayProcess, _ kept: SignedInAnswer, _ unused: [Minted]) async throws
        -> [TestAnswer]
    {
        let ready = try await poll(within: .seconds(30)) { () async throws -> TestAnswer? in
            let answer = try await gateway.get("/health/ready")
            return answer.status == 503 ? answer : nil
        }
        #expect(ready.json["checks"]?["database"] == "failing")
        #expect(try await gateway.get("/health/live").status == 200)
        let answers = try await inParallel(60) { number in
            switch number % 4 {
            case 0: try await gateway.checkSession(kept.accessToken)
            case 1: try await gateway.refresh(kept.refreshToken)
            case 2: try await gateway.signIn(unused[number / 4 % unused.count])
            default: try await gateway.passwordSignIn(Fresh.email(), "not the password")
            }
        }
        for answer in answers {
            #expect(Self.isQuickRefusal(answer), "\(answer.status) \(answer.duration) \(answer.text)")
        }
        #expect(gateway.child.exitCode == nil)
        return answers
    }

    /// Far below any limit that could end the request, with room for a slow machine.
    ///
    /// - Parameter orUnknown: whether it may have been running when the outage began.
    private static func isQuickRefusal(_ answer: TestAnswer, orUnknown: Bool = false) -> Bool {
        answer.status == 503
            && (answer.code == "database_unavailable" || (orUnknown && answer.code == "outcome_unknown"))
            && Int(answer.header("Retry-After") ?? "") ?? 0 >= 1
            && answer.duration < .seconds(5)
    }

    private func expectNothingLost(
        _ gateway: GatewayProcess, _ cluster: PrivateCluster, _ kept: SignedInAnswer, _ tokens: [String]
    ) async throws {
        // Lost rotations may be retried for ten seconds; the down time does not count.
        _ = try await onServer(cluster.url) { try $0.execute("update sessions set rotated_at = now()") }
        #expect(try await gateway.checkSession(kept.accessToken).status == 200)
        for token in tokens + [kept.refreshToken] { #expect(try await gateway.refresh(token).status == 200) }
        let chains = try await Self.count(cluster, "select count(*) from sessions where ended_at is not null")
        #expect(chains == 0)
        let unequal = try await Self.count(
            cluster,
            """
            select count(*) from sessions s where generation <> (
                   select count(*) from audit_events e where e.session_id = s.id and e.action = 'refreshed')
            """)
        #expect(unequal == 0)
    }

    /// Signs in with credentials that the outage refused.
    ///
    /// On a slow machine, the outcome of one may be unknown, which proves nothing.
    private func expectOneIsUnspent(_ unused: [Minted], _ gateway: GatewayProcess) async throws {
        for credential in unused {
            let answer = try await gateway.signIn(credential)
            if answer.code == "outcome_unknown" { continue }
            #expect(answer.status == 200, "\(answer.text)")
            return
        }
        Issue.record("the outcome of every sign-in is unknown")
    }

    /// The outage's refusals are written on their own after its end.
    private func expectAudited(_ refused: [TestAnswer], _ cluster: PrivateCluster) async throws {
        let ids = refused.map(\.requestID)
        _ = try await poll(within: .seconds(30)) {
            let rows = try await Self.count(
                cluster,
                """
                select count(*) from audit_events
                 where request_id = any (\(ids)) and outcome = 'refused' and reason = 'database_unavailable'
                """)
            return rows == ids.count ? () : nil
        }
    }

    private static func count(_ cluster: PrivateCluster, _ query: SQL) async throws -> Int {
        try await onServer(cluster.url) { try $0.queryOne(query).map { try $0.value(0, as: Int.self) } ?? 0 }
    }
}
