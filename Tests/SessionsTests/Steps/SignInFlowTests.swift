import Accounts
import Foundation
import JSON
import Testing

@testable import Sessions

@Suite("What is kept of a sign-in between two answers")
struct SignInFlowTests {
    private func steps() async throws -> [any FlowStep] {
        let tools = try await StepBench().tools
        let mailbox = Destination.email(try #require(EmailAddress("ann@example.com")))
        return [
            TOTPStep(), RecoveryCodeStep(), PasswordStep(), NewPasswordStep(), SecondFactorSelectionStep(),
            SetUpSelectionStep([.totp, .email]), TOTPSetUpStep(tools), AddressSetUpStep(), CodeStep(mailbox),
            CodeSetUpStep(mailbox), ResetPasswordStep(mailbox), FirstFactorSelectionStep([.password, .emailCode]),
            PasskeyStep(isFirst: true, tools), PasskeySetUpStep(tools), RecoveryCodesStep(),
            CustomChallengeStep(),
        ]
    }

    @Test("every kind of step is stored and comes back the same")
    func roundTrip() async throws {
        let steps = try await steps()
        #expect(Set(steps.map { type(of: $0).kind }) == Set(FlowSteps.all.map { $0.kind }))
        for step in steps {
            var flow = SignInFlow(
                provider: "apple", proofs: Proofs([Proof(.password)]), step: step, name: "ann@example.com",
                language: "de", guessBucket: "00ff")
            (flow.identity, flow.linkFlow, flow.session) = (UUID(), UUID(), UUID())
            (flow.isNewAccount, flow.newPassword, flow.remembersDevice) = (true, "hash", true)
            #expect(SignInFlow(flow.json) == flow, "\(type(of: step).kind)")
        }
    }

    @Test("every kind of step has a name of its own")
    func kinds() {
        #expect(Set(FlowSteps.all.map { $0.kind }).count == FlowSteps.all.count)
    }

    @Test(
        "an unreadable step is refused",
        arguments: [
            [:], ["kind": "wish"], ["kind": "code"], ["kind": "code", "medium": "email", "address": "nobody"],
            ["kind": "totp_set_up"], ["kind": "passkey"], ["kind": "passkey_set_up", "challenge": "x"],
            ["kind": "reset_password", "medium": "pigeon", "address": "ann@example.com"],
        ] as [JSONObject])
    func unreadableStep(_ stored: JSONObject) {
        #expect(FlowSteps.step(stored) == nil)
    }

    @Test("another version's flow is none")
    func version() {
        var json = SignInFlow(provider: "apple", proofs: Proofs(), language: "", guessBucket: "").json.object ?? [:]
        #expect(SignInFlow(.object(json)) != nil)
        json["version"] = 2
        #expect(SignInFlow(.object(json)) == nil)
    }

    @Test("a name alone is offered no second factor, and a session that is raised is")
    func candidatesNeedProof() async throws {
        let tools = try await StepBench().tools
        var factors = AccountFactors()
        factors.isProtected = true
        factors.recoveryCodes = 10
        factors.factors = [.test(.totp), .test(.sms, ProvedThing.number)]
        var flow = SignInFlow(provider: "password", proofs: Proofs(), language: "", guessBucket: "")
        func candidates() -> [SignInCourse.Candidate] {
            StepContext(
                flowID: UUID(), client: "app", flow: flow, account: UUID(), failures: 0, factors: factors,
                passwordHash: nil,
                course: SignInCourse(factors: factors, isDemandedByClient: true, isRemembered: false), tools: tools
            ).candidates
        }
        #expect(candidates().isEmpty)
        flow.session = UUID()
        #expect(candidates().count == 3)
        (flow.session, flow.proofs) = (nil, Proofs([Proof(.password)]))
        #expect(candidates().count == 3)
    }

    @Test("the first factors of a name depend on its form alone")
    func firstFactors() throws {
        let client = Client.test(providers: ["password", "email_otp", "sms_otp", "passkey"])
        for (text, expected) in [
            ("ann@example.com", ["password", "email_otp", "passkey"]),
            ("+4915112345678", ["password", "sms_otp", "passkey"]),
            ("ann.smith", ["password", "passkey"]),
        ] {
            let name = try #require(SignInName(text))
            #expect(FirstFactor.offered(for: name, by: client).map(\.rawValue) == expected)
        }
        let name = try #require(SignInName("ann@example.com"))
        #expect(FirstFactor.offered(for: name, by: .test(providers: ["apple"])).isEmpty)
    }
}

extension Client {
    fileprivate static func test(providers: [String]) -> Client {
        Client(
            id: "app", name: "App", secret: nil, origins: [], redirectURIs: [], providers: providers,
            linkingPolicy: LinkingPolicy(bothVerified: .link), accessTokenLife: 600, refreshIdle: 600,
            refreshMaximum: 600)
    }
}
