import Testing

@testable import Postgres

@Suite struct PostgresErrorTests {
    @Test("the description omits the server's text, and the diagnostic contains it")
    func words() {
        let error = PostgresError.statement(
            .uniqueViolation, constraint: "accounts_pkey", message: "duplicate key in x")
        #expect("\(error)" == "the database refused a statement (23505, constraint accounts_pkey)")
        #expect(String(reflecting: error) == "\(error)")
        #expect(error.diagnostic == "\(error): duplicate key in x")
    }

    @Test(
        "only work that changed nothing may be retried",
        arguments: [
            (PostgresError.statement(.serializationFailure, constraint: nil, message: ""), true),
            (.statement(.deadlockDetected, constraint: nil, message: ""), true),
            (.statement(.uniqueViolation, constraint: nil, message: ""), false),
            (.connectionLost(maybeCommitted: false), true), (.connectionLost(maybeCommitted: true), false),
            (.timedOut, false), (.cancelled, false), (.closed, false),
        ])
    func repeatable(error: PostgresError, expected: Bool) {
        #expect(error.isRepeatable == expected)
    }

    @Test("pauses double from 50 ms to 2 s, and jitter shortens them to half at most")
    func backoff() {
        let full = (1...8).map { Backoff.delay(afterFailures: $0, chance: 1) }
        #expect(full == [50, 100, 200, 400, 800, 1600, 2000, 2000].map { .milliseconds($0) })
        #expect(Backoff.delay(afterFailures: 1, chance: 0) == .milliseconds(25))
        #expect(Backoff.delay(afterFailures: 1_000_000, chance: 0) == .seconds(1))
    }
}
