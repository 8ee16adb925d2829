import Foundation
import JSON
import Postgres
import Providers
import Testing

@testable import SignIn
@testable import Vocabulary

/// Steps that a provider leads, on a real database, without a front door.
@Suite("Flows that a provider leads")
struct ProviderLedFlowTests {
    private static let code = StepResponse(.code("123456"))

    private func identity() throws -> ExternalIdentity {
        ExternalIdentity(
            provider: try #require(ProviderID(rawValue: "leader")), realm: "pool", subject: "ann", audiences: ["app"],
            replayDigest: [1, 2, 3], replayEnd: .itsOwn(Date().addingTimeInterval(600)))
    }

    private func begin(_ core: TestCore) async throws -> PendingStep {
        let credential = PresentedCredential(["username": "ann", "password": "secret of the provider"])
        return try await core.flows.begin(.provider("leader", credential), core.request()).pending
    }

    @Test("each answer gets the newest state, and the last one signs in")
    func states() async throws {
        let leader = try ScriptedLeader([
            .step(.totpCode(name: nil), state: ["s": 1], expiresIn: 180), .again(.codeWrong, state: ["s": 2]),
            .step(.smsCode(CodeDelivery(medium: .sms, destination: "+1•••99")), state: ["s": 3], expiresIn: 90),
            .verified(try identity()),
        ])
        try await TestCore.with([leader]) { core in
            let pending = try await begin(core)
            #expect(pending.expiresIn == 180)
            await #expect(throws: Rejection.codeWrong(triesLeft: ProviderLedStep.mostTries - 1)) {
                try await core.flows.answer(Self.code, core.call(pending.flow))
            }
            let next = try await core.flows.answer(Self.code, core.call(pending.flow)).pending
            #expect(next.flow == pending.flow && next.expiresIn == 90)
            let signedIn = try await core.flows.answer(Self.code, core.call(pending.flow)).signedIn
            #expect(signedIn.isNewAccount && signedIn.identity?.subject == "ann")
            #expect(leader.states == [["s": 1], ["s": 2], ["s": 3]])
            #expect(try await core.count("select count(*) from flows") == 0)
        }
    }

    @Test("the provider's state and the user name are sealed")
    func sealed() async throws {
        let leader = try ScriptedLeader([
            .step(.totpCode(name: nil), state: ["token": "state of the provider"], expiresIn: 180)
        ])
        try await TestCore.with([leader]) { core in
            _ = try await begin(core)
            #expect(
                try await core.count(
                    """
                    select count(*) from flows where sealed is not null
                       and position('state of the provider' in state::text || encode(sealed, 'escape')) = 0
                       and position('"ann"' in state::text || encode(sealed, 'escape')) = 0
                    """) == 1)
        }
    }

    @Test("an answer is charged before the provider is asked")
    func charged() async throws {
        let again = [StepwiseAnswer](
            repeating: .again(.codeWrong, state: ["s": 2]), count: ProviderLedStep.mostTries + 5)
        let leader = try ScriptedLeader([.step(.totpCode(name: nil), state: ["s": 1], expiresIn: 180)] + again)
        try await TestCore.with([leader]) { core in
            let pending = try await begin(core)
            for left in (0..<ProviderLedStep.mostTries).reversed() {
                await #expect(throws: Rejection.codeWrong(triesLeft: left)) {
                    try await core.flows.answer(Self.code, core.call(pending.flow))
                }
            }
            await #expect(throws: Rejection.tooManyTries) {
                try await core.flows.answer(Self.code, core.call(pending.flow))
            }
            #expect(leader.states.count == ProviderLedStep.mostTries)
        }
    }

    @Test("of two answers that the provider accepts at the same time, one signs in")
    func twice() async throws {
        let leader = try ScriptedLeader([
            .step(.totpCode(name: nil), state: ["s": 1], expiresIn: 180), .verified(try identity()),
            .verified(try identity()),
        ])
        try await TestCore.with([leader]) { core in
            let flow = try await begin(core).flow
            let results = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<2 {
                    group.addTask {
                        (try? await core.flows.answer(Self.code, core.call(flow)).signedIn) != nil
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(results.filter(\.self).count == 1)
            #expect(try await core.count("select count(*) from sessions") == 1)
        }
    }

    @Test("the provider's end of a sign-in ends the flow")
    func ended() async throws {
        let leader = try ScriptedLeader([
            .step(.password, state: ["s": 1], expiresIn: 180), .ended(.credentialsWrong),
        ])
        try await TestCore.with([leader]) { core in
            let pending = try await begin(core)
            let password = StepResponse(.password("wrong password"))
            await #expect(throws: Rejection.invalidCredentials()) {
                try await core.flows.answer(password, core.call(pending.flow))
            }
            await #expect(throws: Rejection.flowExpired) {
                try await core.flows.answer(password, core.call(pending.flow))
            }
        }
    }

    @Test("a resend waits as long as the provider demands, gets the pending state, and its answer replaces the step")
    func resend() async throws {
        let delivery = CodeDelivery(medium: .email, destination: "a•••@example.com", resendAfter: 60)
        let leader = try ScriptedLeader([
            .step(.otp(delivery), state: ["s": 1], expiresIn: 180),
            .step(.otp(delivery), state: ["s": 2], expiresIn: 120), .verified(try identity()),
        ])
        try await TestCore.with([leader]) { core in
            let pending = try await begin(core)
            await #expect(throws: Rejection.resendTooSoon(retryAfter: 60)) {
                try await core.flows.resend(core.call(pending.flow))
            }
            try await core.change("update flows set resend_after = now()")
            #expect(try await core.flows.resend(core.call(pending.flow)).expiresIn == 120)
            await #expect(throws: Rejection.resendTooSoon(retryAfter: 60)) {
                try await core.flows.resend(core.call(pending.flow))
            }
            _ = try await core.flows.answer(Self.code, core.call(pending.flow)).signedIn
            #expect(leader.states == [["s": 1], ["s": 2]])
        }
    }

    @Test("the waiting step is shown with its remaining time")
    func waiting() async throws {
        let leader = try ScriptedLeader([.step(.resetUnderWay(retryAfter: 2), state: ["s": 1], expiresIn: 180)])
        try await TestCore.with([leader]) { core in
            let pending = try await begin(core)
            try await core.change("update flows set expires_at = now() + interval '100 seconds'")
            let shown = try await core.flows.waiting(core.call(pending.flow))
            #expect(shown.step == .resetUnderWay(retryAfter: 2) && (90...100).contains(shown.expiresIn))
        }
    }
}
