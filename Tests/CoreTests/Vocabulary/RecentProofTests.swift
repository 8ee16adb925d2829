import TestSupport
import Testing

@testable import Postgres
@testable import Vocabulary

@Suite("Recent proofs")
struct RecentProofTests {
    @Test(
        "a session may change sign-in methods with a recent proof, and never without a limit",
        arguments: [
            (590, RecentProof.seconds, nil), (601, RecentProof.seconds, "reauth_required"),
            (601, 660, nil), (0, nil, "reauth_required"),
        ] as [(Int, Int32?, String?)])
    func bound(age: Int, bound: Int32?, refusal: String?) async throws {
        try await withTestDatabase { database in
            let connection = try Connection(database.configuration())
            try connection.executeScript(LockFixture.script)
            try connection.executeScript(
                "update sessions set auth_time = now() - interval '\(age) seconds' where id = fid(3, 1)")
            let row = try connection.queryOne("select may_change_factors(fid(1, 1), fid(3, 1), \(bound))")
            #expect(try row?.value(0, as: String?.self) == refusal)
        }
    }

    @Test("S-27: a session in which an operator acts for the user has no proof, however young, and can't get one")
    func impersonation() async throws {
        try await withTestDatabase { database in
            let connection = try Connection(database.configuration())
            try connection.executeScript(LockFixture.script)
            try connection.executeScript(
                """
                update sessions set actor_id = gen_random_uuid(), acr = '0', auth_time = now() where id = fid(3, 1)
                """)
            let row = try connection.queryOne("select may_change_factors(fid(1, 1), fid(3, 1), \(RecentProof.seconds))")
            #expect(try row?.value(0, as: String?.self) == "reauth_required")
            #expect(throws: PostgresError.self) {
                try connection.execute("update sessions set acr = '2' where id = fid(3, 1)")
            }
        }
    }
}
