import Foundation
import Testing

@testable import GatewayClient

@Suite("The sign-in screens")
@MainActor
struct SignInModelTests {
    private final class Outcome {
        var sessions: [Session] = []
    }

    private let outcome = Outcome()

    private func model(_ rehearsal: Rehearsal, _ dialogues: Dialogues = .all) -> SignInModel {
        SignInModel(
            client: rehearsal.client,
            options: SignInOptions(providers: [
                .init(id: "amazon", name: "Amazon"), .init(id: "microsoft", name: "Microsoft"),
            ]),
            dialogues: dialogues
        ) { [outcome] in outcome.sessions.append($0) }
    }

    private func begin(_ model: SignInModel, password: String = "correct horse") async {
        model.enter(" ann@example.com ", in: "username")
        model.enter(password, in: "password")
        await model.perform(.submit)
    }

    @Test("Name and password sign in")
    func password() async throws {
        let rehearsal = try Rehearsal(.answer(200, Sample.signedIn()))
        let model = model(rehearsal)
        await begin(model)
        #expect(outcome.sessions.map(\.id) == [Sample.sessionID])
        let sent = await rehearsal.transport.received.first?.body?["credential"]
        #expect(sent == ["username": "ann@example.com", "password": "correct horse"])
    }

    @Test("A name alone asks for a choice; the choice asks for the code; the code signs in")
    func choice() async throws {
        let rehearsal = try Rehearsal(
            .answer(200, EveryStep.answer(.chooseFirstFactor)), .answer(200, EveryStep.answer(.code)),
            .answer(200, Sample.signedIn()))
        let model = model(rehearsal)
        await begin(model, password: "")
        #expect(model.state.screen.title == .chooseFactor)
        let button = try #require(model.state.screen.others.first { $0.detail == "a•••@e•••.com" })
        await model.perform(button.action)
        #expect(model.state.screen.detail == "a•••@e•••.com")
        #expect(model.state.resendAt == rehearsal.clock.now + 30)
        model.enter("123456", in: "code")
        model.remember(true)
        await model.perform(.submit)
        #expect(outcome.sessions.count == 1)
        #expect(
            await rehearsal.transport.received.last?.body?["response"] == ["code": "123456", "remember_device": true])
    }

    @Test("Every type of step has a screen with a heading in words and a way on", arguments: StepType.allCases)
    func everyStep(_ type: StepType) async throws {
        let rehearsal = try Rehearsal(.answer(200, EveryStep.answer(type)), .answer(200, Sample.signedIn()))
        let model = model(rehearsal)
        await begin(model)
        if type == .waitForPasswordReset {
            // The model itself waits and asks again.
            #expect(outcome.sessions.count == 1)
            return
        }
        let screen = model.state.screen
        #expect(!screen.title.english.isEmpty)
        let leavesOnly: Set<SignInWord> = [.startAgain]
        let ways = ([screen.main].compactMap { $0 } + screen.others).filter { !leavesOnly.contains($0.title) }
        #expect(!ways.isEmpty, "\(type) has only a way back")
        if screen.main?.action == .submit, type != .linkAccount {
            for field in screen.fields { model.enter("12345678", in: field.id) }
            await model.perform(.submit)
            #expect(model.state.problem == nil)
            #expect(outcome.sessions.count == 1, "\(type)")
        }
    }

    @Test("An unknown step offers the browser")
    func unknownStep() async throws {
        let rehearsal = try Rehearsal(.answer(200, Sample.step("prove_by_smoke_signal")))
        let model = model(rehearsal)
        await begin(model)
        #expect(model.state.screen.main?.action == .browser)
    }

    @Test("Without its dialogue a passkey is answered in the browser, and buttons of missing dialogues are away")
    func withoutDialogues() async throws {
        let rehearsal = try Rehearsal(.answer(200, EveryStep.answer(.passkey)))
        let model = model(rehearsal, Dialogues())
        let actions = model.state.screen.others.map(\.action)
        #expect(!actions.contains(.apple) && !actions.contains(.passkey) && !actions.contains(.provider("amazon")))
        await begin(model)
        #expect(model.state.screen.main == nil)
        #expect(model.state.screen.others.map(\.action) == [.startAgain])
    }

    @Test("A wrong code is shown at its field and can be entered again")
    func wrongCode() async throws {
        let rehearsal = try Rehearsal(
            .answer(200, EveryStep.answer(.authenticatorCode)), .answer(400, Sample.problem("code_wrong", 400)),
            .answer(200, Sample.signedIn()))
        let model = model(rehearsal)
        await begin(model)
        model.enter("000000", in: "code")
        await model.perform(.submit)
        #expect(model.state.problem?.field == "code")
        #expect(model.state.problem?.text == "Refused")
        #expect(model.state.problem?.reference == "ng89gt61q7jq4")
        #expect(!model.state.isWorking)
        model.enter("123456", in: "code")
        await model.perform(.submit)
        #expect(model.state.problem == nil)
        #expect(outcome.sessions.count == 1)
    }

    @Test(
        "An error's pointer names the field",
        arguments: [
            ("/response/code", "code"), ("/code", "code"), ("/response/new_password", "new_password"),
            ("/client_id", nil),
        ] as [(String, String?)])
    func pointers(_ pointer: String, _ field: String?) async throws {
        let rehearsal = try Rehearsal(
            .answer(200, EveryStep.answer(.resetPassword)),
            .answer(400, Sample.problem("invalid_request", 400, pointer: pointer)))
        let model = model(rehearsal)
        await begin(model)
        await model.perform(.submit)
        #expect(model.state.problem?.field == field)
    }

    @Test("A flow that has ended leads back to the beginning, with the reason; the name stays, the password doesn't")
    func expired() async throws {
        let rehearsal = try Rehearsal(
            .answer(200, EveryStep.answer(.code)), .answer(400, Sample.problem("flow_expired", 400)))
        let model = model(rehearsal)
        await begin(model)
        model.enter("123456", in: "code")
        await model.perform(.submit)
        #expect(model.state.screen.title == .signIn)
        #expect(model.state.problem != nil)
        #expect(model.state.entries == ["username": " ann@example.com "])
    }

    @Test("A link: signing in to the account accepts it, the other button declines it")
    func link() async throws {
        for accepts in [true, false] {
            let rehearsal = try Rehearsal(
                .answer(200, EveryStep.answer(.linkAccount)), .answer(200, Sample.signedIn()))
            let model = model(rehearsal)
            await begin(model)
            #expect(model.state.screen.title == .linkAccount)
            #expect(model.state.screen.detail == "a•••@e•••.com")
            if accepts { await begin(model) } else { await model.perform(.separateAccount) }
            let body = await rehearsal.transport.received.last?.body
            #expect(accepts ? body?["link_flow"] == "fl_1" : body?["response"] == ["create_account": true])
        }
    }

    @Test("A provider that is setting the password is asked again after its seconds")
    func waiting() async throws {
        let rehearsal = try Rehearsal(
            .answer(200, EveryStep.answer(.waitForPasswordReset)),
            .answer(200, EveryStep.answer(.waitForPasswordReset)), .answer(200, Sample.signedIn()))
        let model = model(rehearsal)
        await begin(model)
        #expect(rehearsal.clock.pauses == [.seconds(2), .seconds(2)])
        #expect(outcome.sessions.count == 1)
    }

    @Test("New recovery codes are shown before the sign-in is over")
    func recoveryCodes() async throws {
        let rehearsal = try Rehearsal(.answer(200, Sample.signedIn(codes: ["k3v7q-m2xpa"])))
        let model = model(rehearsal)
        await begin(model)
        #expect(model.state.screen.recoveryCodes == ["k3v7q-m2xpa"])
        #expect(outcome.sessions.isEmpty)
        await model.perform(.submit)
        #expect(outcome.sessions.count == 1)
    }

    @Test("A recovery code answers in place of another factor")
    func recoveryCode() async throws {
        let rehearsal = try Rehearsal(
            .answer(200, EveryStep.answer(.authenticatorCode)), .answer(200, Sample.signedIn()))
        let model = model(rehearsal)
        await begin(model)
        await model.perform(.recoveryCode)
        model.enter("k3v7q-m2xpa", in: "recovery_code")
        await model.perform(.submit)
        #expect(await rehearsal.transport.received.last?.body?["response"] == ["recovery_code": "k3v7q-m2xpa"])
    }

    @Test("A passkey at the beginning, and Apple with its nonce")
    func dialogues() async throws {
        let rehearsal = try Rehearsal(
            .answer(200, EveryStep.answer(.passkey)), .answer(200, Sample.signedIn()),
            .answer(200, ["nonce": "nonce-1", "expires_in": 600]), .answer(200, Sample.signedIn()))
        let passkey = model(rehearsal)
        await passkey.perform(.passkey)
        #expect(await rehearsal.transport.received.last?.body?["response"] == ["credential": ["signed": "mZr"]])
        let apple = model(rehearsal)
        await apple.perform(.apple)
        #expect(
            await rehearsal.transport.received.last?.body?["credential"]
                == ["id_token": "token", "nonce": "nonce-1"])
        #expect(outcome.sessions.count == 2)
    }

    @Test("A step-up asks for the second factor of its session, and ends in another one")
    func stepUp() async throws {
        let rehearsal = try Rehearsal()
        let session = try await rehearsal.signedIn()
        await rehearsal.transport.add(
            .answer(200, EveryStep.answer(.authenticatorCode)),
            .answer(200, Sample.signedIn(Sample.tokens(2, id: "another"))))
        let model = model(rehearsal)
        await model.stepUp(session)
        #expect(await rehearsal.transport.received.last?.path == "/v1/session/step-up")
        #expect(model.state.screen.fields.map(\.id) == ["code"])
        model.enter("123456", in: "code")
        await model.perform(.submit)
        #expect(outcome.sessions.map(\.id) == ["another"])
    }

    @Test("A dialogue that the user cancels is no error")
    func cancelled() async throws {
        let rehearsal = try Rehearsal(.answer(200, ["nonce": "nonce-1", "expires_in": 600]))
        let model = model(rehearsal, Dialogues(apple: Cancelled()))
        await model.perform(.apple)
        #expect(model.state.problem == nil)
        #expect(!model.state.isWorking)
    }

    @Test("Sign-up and a forgotten password have their forms")
    func forms() async throws {
        let rehearsal = try Rehearsal(
            .answer(200, EveryStep.answer(.confirmSignUp)), .answer(200, EveryStep.answer(.resetPassword)))
        let model = model(rehearsal)
        await model.perform(.signUp)
        for (field, text) in [("username", "ann@example.com"), ("password", "grey heron"), ("display_name", "Ann")] {
            model.enter(text, in: field)
        }
        await model.perform(.submit)
        #expect(
            await rehearsal.transport.received.last?.body == [
                "client_id": "app", "username": "ann@example.com", "password": "grey heron", "display_name": "Ann",
            ])
        #expect(model.state.screen.title == .confirmAddress)
        await model.perform(.startAgain)
        await model.perform(.forgotPassword)
        await model.perform(.submit)
        #expect(await rehearsal.transport.received.last?.path == "/v1/password/forgot")
        #expect(model.state.screen.fields.map(\.id) == ["code", "new_password"])
    }

    @Test("Another code restarts the wait")
    func resend() async throws {
        let rehearsal = try Rehearsal(.answer(200, EveryStep.answer(.code)), .answer(200, EveryStep.answer(.code)))
        let model = model(rehearsal)
        await begin(model)
        rehearsal.clock.advance(30)
        await model.perform(.resend)
        #expect(await rehearsal.transport.received.last?.path == "/v1/sign-in/resend")
        #expect(model.state.resendAt == rehearsal.clock.now + 30)
    }

    @Test("A second press of a button during a request does nothing")
    func twice() async throws {
        let gate = Gate()
        let rehearsal = try Rehearsal(.gated(gate, 200, Sample.signedIn()))
        let model = model(rehearsal)
        async let first: Void = begin(model)
        await gate.reached()
        #expect(model.state.isWorking)
        await model.perform(.submit)
        await gate.open()
        await first
        #expect(await rehearsal.transport.received.count == 1)
        #expect(outcome.sessions.count == 1)
    }

    @Test("Every word has a text, and a button of its own on each screen")
    func words() {
        for word in SignInWord.allCases { #expect(word.english != word.rawValue, "\(word)") }
    }
}

extension Dialogues {
    static let all = Dialogues(
        passkeys: FakePasskeys(), apple: FakeApple(),
        browser: .init(opener: ClosedBrowser(), redirectURI: BrowserTests.redirect, hasher: OpenSSL()))
}

private struct FakePasskeys: PasskeyAuthenticator {
    func assertion(for options: JSONValue) async throws -> JSONValue {
        ["signed": .string(options["challenge"]?.string ?? "")]
    }

    func registration(for options: JSONValue) async throws -> JSONValue { ["registered": true] }
}

private struct FakeApple: AppleAuthorizer {
    func appleCredential(nonce: Nonce) async throws -> Credential { .apple(idToken: "token", nonce: nonce) }
}

private struct Cancelled: AppleAuthorizer {
    func appleCredential(nonce: Nonce) async throws -> Credential { throw GatewayError.cancelled }
}

private struct ClosedBrowser: BrowserOpener {
    func open(_ signIn: BrowserSignIn) async throws -> URL { throw GatewayError.cancelled }
}
