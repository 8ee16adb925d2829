import JSON
import Postgres
import TestSupport
import Testing

/// A database that answers but accepts no changes.
@Suite("A database that refuses changes")
struct RefusedWritesTests {
    @Test(
        "N2: a full disk answers 503 with Retry-After, the server is not ready meanwhile, and the log has one line per second"
    )
    func fullDisk() async throws {
        try await PrivateGateway.with { place in
            let gateway = place.gateway
            let unused = try await gateway.simulator.mint("google", ["subject": .string(Fresh.subject("google"))])
            let person = try await gateway.anyone()
            try await Self.refuse("53100", ["sessions", "write_probes"], place)
            let start = ContinuousClock.now
            let answers = try await inParallel(0..<60) { _ in try await gateway.refresh(person.refreshToken) }
            let seconds = Int((ContinuousClock.now - start) / .seconds(1))
            for answer in answers + [try await gateway.signIn(unused)] {
                #expect(answer.status == 503, "\(answer.text)")
                #expect(answer.code == "database_unavailable", "\(answer.text)")
                #expect(Int(answer.header("Retry-After") ?? "") ?? 0 >= 1)
            }
            #expect(try await gateway.get("/health/ready").json["checks"]?["writes"] == "failing")
            #expect(try await gateway.checkSession(person.accessToken).status == 200)
            try await gateway.logged("the database takes no changes")
            let lines = gateway.log.split(separator: "\n").count { $0.contains("the database takes no changes") }
            #expect((1...(seconds + 4)).contains(lines), "\(lines) lines in \(seconds) s")
            #expect(!gateway.log.contains(#""message":"the database refused a statement""#))

            try await Self.allow(place)
            try await place.waitUntil("writes", is: "ok")
            #expect(try await gateway.get("/health/ready").status == 200)
            // Neither the credential nor the rotation was spent.
            #expect(try await gateway.signIn(unused).status == 200)
            #expect(try await gateway.refresh(person.refreshToken).status == 200)
        }
    }

    @Test("N2: a temporary failure of the server answers 503, and ends a command with 69")
    func classes() async throws {
        try await PrivateGateway.with { place in
            for state in ["40001", "53100", "53200", "55P03", "57000", "58030"] {
                try await Self.expectUnavailable(state, place)
                try await Self.allow(place)
                try await place.waitUntil("writes", is: "ok")
            }
        }
    }

    private static func expectUnavailable(_ state: String, _ place: PrivateGateway) async throws {
        let gateway = place.gateway
        let person = try await gateway.anyone()
        try await refuse(state, ["sessions", "accounts"], place)
        let answers = [
            try await gateway.refresh(person.refreshToken), try await gateway.signOut(person.accessToken),
        ]
        for answer in answers {
            #expect(answer.status == 503, "\(state): \(answer.text)")
            #expect(Int(answer.header("Retry-After") ?? "") ?? 0 >= 1, "\(state)")
        }
        let command = try await place.deployment.run(
            ["accounts", "disable", person.account, "--yes", "--reason", "a test"], changes: place.database)
        #expect(command.exitCode == 69, "\(state): \(command.errors)")
    }

    @Test("K3: while the disk is full, the right password gets 503 and is never charged")
    func fullDiskPassword() async throws {
        let few = ["THROTTLE_ACCOUNT_BURST": "2", "THROTTLE_ACCOUNT_PER_HOUR": "1"]
        try await PrivateGateway.with(few) { place in
            let gateway = place.gateway
            let email = Fresh.email()
            _ = try await gateway.signUp(email)
            try await Self.refuse("53100", ["sessions", "write_probes"], place)
            for _ in 0..<6 {
                let answer = try await gateway.passwordSignIn(email, GatewayProcess.password)
                #expect(answer.status == 503 && answer.code == "database_unavailable", "\(answer.text)")
            }
            // A wrong password is charged as usual.
            var refusals: [Int] = []
            for _ in 0..<6 {
                refusals.append(try await gateway.passwordSignIn(email, "wrong \(GatewayProcess.password)").status)
            }
            #expect(refusals.first == 401 && refusals.last == 429, "\(refusals)")
            try await Self.allow(place)
        }
    }

    /// Makes every change of these tables fail with that code.
    private static func refuse(_ state: String, _ tables: [String], _ place: PrivateGateway) async throws {
        try await onServer(place.cluster.url) { connection in
            try connection.executeScript(
                """
                create function refuse_for_a_test() returns trigger language plpgsql as $$
                begin raise exception 'not now' using errcode = '\(state)'; end $$
                """)
            for table in tables {
                try connection.executeScript(
                    """
                    create trigger refuse_for_a_test before insert or update on \(table)
                        for each statement execute function refuse_for_a_test()
                    """)
            }
        }
    }

    private static func allow(_ place: PrivateGateway) async throws {
        try await onServer(place.cluster.url) { try $0.executeScript("drop function refuse_for_a_test cascade") }
    }
}
