import TestSupport
import Testing

@testable import Accounts
@testable import Postgres
@testable import Sessions
@testable import SignIn

/// `is_more_due` decides in the statement of a sign-in whether one factor is enough; the course decides the next step.
@Suite("One factor, in SQL and in the course")
struct FirstFactorGateTests {
    private static let firsts: [(provider: String, proof: Proof)] = [
        ("password", Proof(.password)), ("apple", Proof(.provider)), ("passkey", Proof(.verifiedPasskey)),
    ]
    private static let states: [AccountFactors.PasswordState] = [.usable, .temporary, .resetRequired]

    @Test("both agree on whether anything is due, for each first factor and each demand")
    func agreement() async throws {
        try await withTestDatabase { database in
            let connection = try Connection(database.configuration())
            for first in Self.firsts {
                for state in Self.states {
                    for bits in 0..<8 {
                        var factors = AccountFactors()
                        (factors.isProtected, factors.isDemanded) = (bits & 1 != 0, bits & 2 != 0)
                        (factors.hasPassword, factors.passwordState) = (true, state)
                        let demanded = bits & 4 != 0
                        let proofs = Proofs([first.proof])
                        let next = SignInCourse(factors: factors, isDemandedByClient: demanded, isRemembered: false)
                            .next(after: proofs)
                        let isDue: Bool? = try connection.queryOne(
                            """
                            select is_more_due(\(proofs.isMultiFactor ? "2" : "1"), \(first.provider), jsonb_build_object('demanded', \(demanded)),
                                               \(factors.isProtected || factors.isDemanded), \(state.rawValue))
                            """
                        )?.value(0)
                        #expect(isDue == (next != .signedIn), "\(first.provider), \(state), \(bits)")
                    }
                }
            }
        }
    }
}
