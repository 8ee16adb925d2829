import Logging
import Postgres
import Testing

@testable import Gateway

@Suite("Patience at the start")
struct StartPatienceTests {
    private static let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    @Test("a slow database is tried again", arguments: [PostgresError.timedOut, .overloaded])
    func slow(error: PostgresError) async throws {
        var attempts = 0
        let answer = try await StartPatience(logger: Self.silent, limit: .seconds(3_600)).read("keys") {
            attempts += 1
            if attempts < 3 { throw error }
            return attempts
        }
        #expect(answer == 3)
    }

    @Test(
        "an absent or refusing database ends the start at once",
        arguments: [
            PostgresError.unavailable(retryAfter: 1), .closed, .connectionLost(maybeCommitted: false), .misconfigured,
        ])
    func absent(error: PostgresError) async throws {
        var attempts = 0
        await #expect(throws: error) {
            try await StartPatience(logger: Self.silent).read("keys") {
                attempts += 1
                throw error
            }
        }
        #expect(attempts == 1)
    }

    @Test("patience ends")
    func limit() async throws {
        var attempts = 0
        await #expect(throws: PostgresError.timedOut) {
            try await StartPatience(logger: Self.silent, limit: .milliseconds(250)).read("keys") {
                attempts += 1
                throw PostgresError.timedOut
            }
        }
        #expect((2...4).contains(attempts))
    }
}
