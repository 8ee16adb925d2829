import Cryptography
import JSON
import Postgres
import Synchronization
import TestSupport
import Testing

/// A rotation of the signing key while both servers work.
@Suite("Key rotation")
struct KeyRotationTests {
    @Test("S-14: a key rotation under load refuses no request, at either server")
    func rotation() async throws {
        try await withGatewayPair { pair in
            let before = try await keyIDs(pair.one)
            let isOver = Atomic(false)
            let load = Task {
                try await inParallel(6) { number in
                    try await Self.work(pair, number) { isOver.load(ordering: .relaxed) }
                }
            }
            let command = try await pair.deployment.run("keys", "rotate", "--now", "--yes")
            #expect(command.exitCode == 0, "\(command.errors)")
            // Both publish the new next key, and every earlier key.
            for gateway in [pair.one, pair.two] {
                let after = try await poll { () async throws -> Set<String>? in
                    let ids = try await keyIDs(gateway)
                    return ids.count == before.count + 1 ? ids : nil
                }
                #expect(after.isSuperset(of: before))
            }
            try await waitUntilInUse(pair)
            try await Task.sleep(for: .milliseconds(500))
            isOver.store(true, ordering: .relaxed)
            let counts = try await load.value
            #expect(counts.allSatisfy { $0 > 0 })
            let row = try await pair.one.count(
                "select count(*) from audit_events where action = 'signing_key_rotated' and reason = 'operator_now'")
            // One for each algorithm: the key set has RSA keys too.
            #expect(row == 2)
        }
    }

    /// Signs in, refreshes and checks, each time at the other server, until the end; returns the number of rounds.
    private static func work(_ pair: GatewayPair, _ number: Int, until isOver: () -> Bool) async throws -> Int {
        var (here, there) = number.isMultiple(of: 2) ? (pair.one, pair.two) : (pair.two, pair.one)
        let person = try await here.anyone()
        // The very first token stays valid: its key is retired, not removed.
        let oldest = person.accessToken
        var (token, rounds) = (person.refreshToken, 0)
        while !isOver() {
            let next = try await here.refreshed(token)
            #expect(try await there.checkSession(next.accessToken).status == 200)
            #expect(try await there.checkSession(oldest).status == 200)
            let introspection = try await there.introspect(next.accessToken)
            #expect(introspection.json["active"] == true)
            token = next.refreshToken
            (here, there) = (there, here)
            rounds += 1
        }
        return rounds
    }

    private func keyIDs(_ gateway: GatewayProcess) async throws -> Set<String> {
        let document = try await gateway.get("/.well-known/jwks.json")
        return Set(try JWKSet(parsing: document.body, accepting: [.ES256]).keyIDs)
    }

    /// Waits until both servers sign with the former next key.
    private func waitUntilInUse(_ pair: GatewayPair) async throws {
        let newest: String = try await pair.one.sql { connection in
            let row = try connection.queryOne(
                "select id from signing_keys order by activates_at desc nulls last limit 1")
            return try row.map { try $0.value(0) } ?? ""
        }
        for gateway in [pair.one, pair.two] {
            _ = try await poll(within: .seconds(30)) { () async throws -> Void? in
                let token = try await gateway.anyone().accessToken
                return try JWT(parsing: token).keyID == newest ? () : nil
            }
        }
    }

    @Test("a rotation on schedule uses no key that verifiers can't know yet")
    func scheduled() async throws {
        try await withGateway { gateway in
            let command = try await gateway.deployment.run("keys", "rotate")
            #expect(command.exitCode == 0, "\(command.errors)")
            let lead = try await gateway.count(
                """
                select min(extract(epoch from activates_at - published_at))::int8 from signing_keys
                 where activates_at > now()
                """)
            #expect(lead == 900)
            let overlap = try await gateway.count(
                "select count(*) from signing_keys where retires_at < (select max(activates_at) from signing_keys) + interval '10 minutes'"
            )
            #expect(overlap == 0)
            let list = try await gateway.deployment.run("keys", "list")
            #expect(list.exitCode == 0)
            let states = list.output.split(separator: "\n").compactMap { $0.split(separator: "\t").dropFirst(2).first }
            #expect(Set(states) == ["next", "coming", "current"])
        }
    }
}
