import Accounts
import Foundation
import JSON
import Providers
import Testing

@testable import SignIn
@testable import Vocabulary

@Suite("A step that a provider leads")
struct ProviderLedStepTests {
    @Test(
        "the accompanying session is restored",
        arguments: [
            .session(UUID()), .refused(.tokenInvalid), .refused(.tokenExpired), .refused(.sessionEnded()),
            .refused(.reauthRequired),
        ] as [AccompanyingSession])
    func accompanying(session: AccompanyingSession) throws {
        let stored = try JSONEncoder().encode(session)
        #expect(try JSONDecoder().decode(AccompanyingSession.self, from: stored) == session)
    }

    @Test("a refusal that is not about the session is no accompanying session")
    func otherRefusals() {
        #expect(AccompanyingSession(refusal: .databaseUnavailable(retryAfter: 1)) == nil)
        for stored in [#"{"refused": "internal_error"}"#, #"{"session": "abc"}"#, "{}"] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(AccompanyingSession.self, from: Data(stored.utf8))
            }
        }
    }

    @Test("a poll has a budget of its own, and a code the budget of its user name")
    func budgets() {
        let flow = UUID()
        let code = ProviderLedStep.test(.totpCode(name: nil))
        let poll = ProviderLedStep.test(.resetUnderWay(retryAfter: 2))
        #expect(!code.isWaiting && code.guessedName(flow) == ProviderLedStep.guessedName("ann", at: "cognito"))
        #expect(poll.isWaiting && poll.guessedName(flow) != code.guessedName(flow))
        #expect(poll.guessedName(UUID()) != poll.guessedName(flow))
    }

    @Test("an answer is charged before its verdict, and a provider that is no longer configured gives none")
    func charged() async throws {
        let bench = try await StepBench()
        let step = ProviderLedStep.test(.totpCode(name: nil))
        var context = FlowContext(
            UUID(), .provider, SignInFlow(provider: "cognito", language: ""), account: nil, factors: AccountFactors(),
            course: SignInCourse(factors: AccountFactors(), isDemandedByClient: false, isRemembered: false), .test,
            bench.tools)
        context.charging = { (_: Int?) async throws(Rejection) in throw .tooManyTries }
        let charging = context
        await #expect(throws: Rejection.tooManyTries) {
            try await charging.judge(StepResponse(.code("123456")), at: step)
        }
        context.charging = { (_: Int?) in 9 }
        let charged = context
        await #expect(throws: Rejection.providerDisabled) {
            try await charged.judge(StepResponse(.code("123456")), at: step)
        }
        await #expect(throws: Rejection.invalidField(.code, .required)) {
            try await charged.judge(StepResponse(.choice("sms")), at: step)
        }
    }
}

extension ProviderLedStep {
    static func test(_ asked: ProviderStep) -> ProviderLedStep {
        ProviderLedStep(
            asked, ["session": "abc"], life: 180, provider: "cognito", username: "ann", accompanying: nil,
            migratingHash: nil)
    }
}
