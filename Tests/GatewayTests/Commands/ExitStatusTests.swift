import ArgumentParser
import Cryptography
import Postgres
import TestSupport
import Testing

@testable import Commands

@Suite("Exit statuses for database errors")
struct ExitStatusTests {
    @Test(
        "temporary failures, wrong settings and refusals have different statuses",
        arguments: [
            (PostgresError.unavailable(retryAfter: 1), ExitStatus.unavailable), (.timedOut, ExitStatus.unavailable),
            (.connectionLost(maybeCommitted: true), ExitStatus.unavailable),
            (.statement(SQLState(rawValue: "53100"), constraint: nil, message: ""), ExitStatus.unavailable),
            (.misconfigured, ExitStatus.configuration),
            (.statement(.undefinedTable, constraint: nil, message: ""), ExitStatus.failure),
            (.statement(.insufficientPrivilege, constraint: nil, message: ""), ExitStatus.failure),
            (.decoding(column: "id"), ExitStatus.failure),
        ])
    func statuses(error: PostgresError, expected: ExitCode) {
        #expect(ExitStatus.of(error) == expected)
        #expect(StartFailure.status(of: error) == expected)
    }

    @Test("an operator command exits with 1 without a schema, and with 69 without a database")
    func command() async throws {
        try await withTestDatabase(migrated: false) { database in
            for (url, code) in [(database.url, 1), ("host=/nowhere dbname=x", 69)] {
                let child = try ChildProcess(
                    "gateway", ["accounts", "search", "ann"],
                    environment: [
                        "DATABASE_URL": url, "MASTER_KEYS": "k1:" + Base64URL.encode(RandomBytes.system(32)),
                    ])
                let ended = await child.waitForExit(within: .seconds(90))
                if ended == nil { await child.kill9() }
                #expect(ended == code, "\(child.errors)")
            }
        }
    }
}
