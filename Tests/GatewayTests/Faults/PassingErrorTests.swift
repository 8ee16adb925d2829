import HTTPTypes
import Postgres
import Testing
import Vocabulary

@testable import HTTPServer
@testable import Pages

@Suite("Temporary errors of the database")
struct PassingErrorTests {
    private static let expected: [(PostgresError, String)] = [
        (.connectionLost(maybeCommitted: true), "outcome_unknown"),
        (.connectionLost(maybeCommitted: false), "database_unavailable"),
        (.unavailable(retryAfter: 1), "database_unavailable"), (.closed, "database_unavailable"),
        (.timedOut, "overloaded"), (.overloaded, "overloaded"), (.cancelled, "overloaded"),
        (refused("40001"), "overloaded"), (refused("40P01"), "overloaded"), (refused("55P03"), "overloaded"),
        (refused("53100"), "database_unavailable"), (refused("57P03"), "database_unavailable"),
        (refused("58030"), "database_unavailable"),
    ]

    private static func refused(_ state: String) -> PostgresError {
        .statement(SQLState(rawValue: state), constraint: nil, message: "")
    }

    @Test("K1, N2: pages, the console and the last error handler answer them with 503 too", arguments: expected)
    func refusals(error: PostgresError, code: String) throws {
        let page = try #require(WebRefusal(error))
        #expect(page.code == code)
        #expect(page.status == .serviceUnavailable)
        #expect(page.retryAfter ?? 0 >= 1)
        let problem = Problem(try #require(Rejection(passing: error)))
        #expect(problem.status == .serviceUnavailable && problem.code == code)
        #expect(problem.retryAfter ?? 0 >= 1)
    }

    @Test("N2: our own error stays a 500", arguments: ["23505", "42703", "22001"])
    func mistakes(state: String) {
        #expect(Rejection(passing: Self.refused(state)) == nil)
        #expect(WebRefusal(Self.refused(state)) == nil)
    }
}
