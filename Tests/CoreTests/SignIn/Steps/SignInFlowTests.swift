import Foundation
import Testing

@testable import Accounts
@testable import Clients
@testable import Cryptography
@testable import JSON
@testable import Messages
@testable import Providers
@testable import Sessions
@testable import SignIn
@testable import Vocabulary

@Suite("The stored state of a sign-in")
struct SignInFlowTests {
    private func steps() throws -> [any FlowStep] {
        let mailbox = Destination.email(try #require(EmailAddress("ann@example.com")))
        return [
            TOTPStep(), RecoveryCodeStep(), PasswordStep(), NewPasswordStep(), SecondFactorSelectionStep(),
            SetUpSelectionStep([.totp, .email]), TOTPSetUpStep(), AddressSetUpStep(), CodeStep(mailbox),
            CodeSetUpStep(mailbox), ResetPasswordStep(mailbox), ResetWithProvedCodeStep(mailbox),
            AddressProofStep(mailbox),
            FirstFactorSelectionStep([.password, .emailCode]),
            PasskeyStep(isFirst: true), PasskeySetUpStep(), RecoveryCodesStep(),
            CustomChallengeStep(),
            SRPStep(
                holder: SRPStep.Holder(account: UUID(), hash: "hash"), user: "ann", realm: "Pool", clientValue: "2",
                server: SRPServer(SRPVerifier(realm: "Pool", user: "ann", password: Secret("grey heron")))),
            DeviceStep(
                digest: [1, 2], realm: "-group", name: "phone",
                server: SRPServer(SRPVerifier(realm: "-group", user: "phone", password: Secret("grey heron"))),
                clientValue: "2"),
            ProviderLedStep.test(.totpCode(name: nil)),
        ]
    }

    private func text(_ progress: FlowProgress) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(progress), as: UTF8.self)
    }

    @Test("every kind of step is restored from its sealed form")
    func roundTrip() async throws {
        let steps = try steps()
        let (box, id) = (SealedBox(try TestKeys.keys("a")), UUID())
        #expect(Set(steps.map { type(of: $0).kind }) == Set(FlowSteps.all.map { $0.kind }))
        for step in steps {
            var progress = FlowProgress(step: step, firstFactors: [.password, .passkey])
            (progress.newPassword, progress.remembersDevice) = (PasswordVerifiers(hash: "hash"), true)
            let restored = try FlowProgress(opening: try progress.sealed(box, id), box, id)
            let kind = type(of: step).kind
            #expect(restored.step.map { type(of: $0).kind } == kind)
            #expect(try text(restored) == text(progress), "\(kind)")
            #expect(restored.newPassword?.hash == "hash" && restored.remembersDevice)
            #expect(restored.firstFactors == [.password, .passkey])
        }
    }

    @Test("the sealed form opens for its own flow and under its own key alone")
    func sealed() throws {
        let (box, id) = (SealedBox(try TestKeys.keys("a")), UUID())
        let sealed = try FlowProgress(step: PasswordStep()).sealed(box, id)
        #expect(throws: SealedBoxError.notAuthentic) { try FlowProgress(opening: sealed, box, UUID()) }
        #expect(throws: SealedBoxError.unknownKey(id: "a")) {
            try FlowProgress(opening: sealed, SealedBox(try TestKeys.keys("b")), id)
        }
    }

    @Test("the facts are restored, and hold nothing of the step")
    func facts() throws {
        var flow = SignInFlow(
            provider: "apple", name: "ann@example.com", from: "192.0.2.1", language: "de", guessBucket: "00ff",
            progress: FlowProgress(step: CodeStep(.email(try #require(EmailAddress("b@example.org"))))))
        flow.guess = PasswordGuess(
            burst: 10, period: 60_000, client: Throttle(bucket: [1], burst: 6_000, periodMilliseconds: 10))
        (flow.provedAt, flow.wish) = (.noon, .totp)
        flow.progress.newPassword = PasswordVerifiers(hash: "hash of a password")
        let restored = try #require(SignInFlow(facts: flow.facts, FlowProgress()))
        #expect(restored.facts == flow.facts && restored.provedAt == .noon && restored.wish == .totp)
        #expect(!flow.facts.text.contains("b@example.org") && !flow.facts.text.contains("hash of"))
    }

    @Test("every kind of step has a unique name")
    func kinds() {
        #expect(Set(FlowSteps.all.map { $0.kind }).count == FlowSteps.all.count)
    }

    @Test(
        "an unreadable step is refused",
        arguments: [
            "{}", #"{"kind": "wish", "step": {}}"#, #"{"kind": "code", "step": {}}"#,
            #"{"kind": "code", "step": {"destination": {"medium": "email", "address": "nobody"}}}"#,
            #"{"kind": "totp_set_up", "step": {}}"#, #"{"kind": "passkey", "step": {"isFirst": true}}"#,
            #"{"kind": "passkey_set_up", "step": {"challenge": "eA=="}}"#,
            #"{"kind": "reset_password", "step": {"destination": {"medium": "pigeon", "address": "ann@example.com"}}}"#,
        ])
    func unreadableStep(_ stored: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(StoredStep.self, from: Data(stored.utf8)) }
    }

    @Test("a flow of another version is refused")
    func version() {
        var facts = SignInFlow(provider: "apple", language: "").facts.object ?? [:]
        #expect(SignInFlow(facts: .object(facts), FlowProgress()) != nil)
        facts["version"] = 2
        #expect(SignInFlow(facts: .object(facts), FlowProgress()) == nil)
    }

    @Test("a name alone is offered no second factor, and a step-up is")
    func candidatesNeedProof() async throws {
        let tools = try await StepBench().tools
        var factors = AccountFactors()
        factors.isProtected = true
        factors.recoveryCodes = 10
        factors.factors = [.test(.totp), .test(.sms, ProvedThing.number)]
        var flow = SignInFlow(provider: "password", language: "")
        func candidates() -> [SignInCourse.Candidate] {
            FlowContext(
                UUID(), .signIn, flow, account: UUID(), factors: factors,
                course: SignInCourse(factors: factors, isDemandedByClient: true, isRemembered: false), .test, tools
            ).candidates
        }
        #expect(candidates().isEmpty)
        flow.session = UUID()
        #expect(candidates().count == 3)
        (flow.session, flow.proofs) = (nil, Proofs([Proof(.password)]))
        #expect(candidates().count == 3)
    }

    @Test("the first factors of a name depend only on its form")
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
    static func test(providers: [String]) -> Client {
        Client(
            id: "app", name: "App", secret: nil, origins: [], redirectURIs: [], providers: providers,
            linkingPolicy: LinkingPolicy(bothVerified: .link), accessTokenLife: 600, refreshIdle: 600,
            refreshMaximum: 600)
    }
}
