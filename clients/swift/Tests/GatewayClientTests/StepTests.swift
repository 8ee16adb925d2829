import Foundation
import Testing

@testable import GatewayClient

/// A step of each type, as the API sends it.
enum EveryStep {
    static let factors: JSONValue = [
        ["id": "f1", "type": "email", "hint": "a•••@e•••.com"], ["id": "recovery_code", "type": "recovery_code"],
    ]
    static let delivery: [String: JSONValue] = [
        "delivery": ["medium": "email", "destination": "a•••@e•••.com", "code_length": 6], "resend_after": 30,
    ]

    static func members(_ type: StepType) -> [String: JSONValue] {
        switch type {
        case .chooseFirstFactor, .chooseSecondFactor, .chooseFactorToSetUp, .password, .authenticatorCode:
            ["factors": factors]
        case .code, .textMessageCode, .resetPassword, .confirmSignUp: delivery
        case .passkey: ["passkey": ["challenge": "mZr", "rpId": "example.com"]]
        case .setUpPasskey: ["passkey": ["challenge": "mZr", "rp": ["id": "example.com", "name": "E"]]]
        case .challenge: ["challenge": ["question": "recovery_code"]]
        case .setUpAuthenticator: ["totp": ["secret": "JBSW", "uri": "otpauth://totp/x?secret=JBSW"]]
        case .attributes, .newPassword: ["required_attributes": ["displayName"]]
        case .waitForPasswordReset: ["retry_after": 2]
        case .continueInBrowser: ["url": "https://login.example.com/login/microsoft?client_id=app"]
        case .linkAccount: ["email": "a•••@e•••.com"]
        case .setUpEmail, .setUpPhone: [:]
        }
    }

    static func answer(_ type: StepType) -> JSONValue { Sample.step(type.rawValue, members(type)) }

    static func step(_ type: StepType, _ rehearsal: Rehearsal) async throws -> Step {
        await rehearsal.transport.add(.answer(200, answer(type)))
        guard case .next(let step) = try await rehearsal.client.signIn(.username("ann@example.com")) else {
            throw ScriptFailure("no step")
        }
        return step
    }
}

@Suite("Steps")
struct StepTests {
    @Test("An unknown type is a step too, and so is a known one without its member")
    func unsupported() async throws {
        for (type, members) in [("prove_by_smoke_signal", [:]), ("confirm_sign_in_with_passkey", [:])]
            as [(String, [String: JSONValue])]
        {
            let rehearsal = try Rehearsal(.answer(200, Sample.step(type, members)))
            let result = try await rehearsal.client.signIn(.username("ann@example.com"))
            guard case .next(.unsupported(let step)) = result else {
                Issue.record("\(result)")
                continue
            }
            #expect(step.type == type)
        }
    }

    @Test(
        "Each answer has exactly its members",
        arguments: [
            (StepAnswer.code("1 2", name: "Phone"), ["code": "1 2", "name": "Phone"] as JSONValue),
            (.password("p"), ["password": "p"]), (.forgotPassword, ["forgot_password": true]),
            (
                .newPassword("p", attributes: ["displayName": "Ann"]),
                ["new_password": "p", "attributes": ["displayName": "Ann"]]
            ),
            (.newPassword("p"), ["new_password": "p"]),
            (.reset(code: "1", newPassword: "p"), ["code": "1", "new_password": "p"]),
            (.attributes(["city": "Bonn"]), ["attributes": ["city": "Bonn"]]),
            (.recoveryCode("k"), ["recovery_code": "k"]),
            (.challenge("blue"), ["answer": "blue"]), (.email("a@example.com"), ["email": "a@example.com"]),
            (.phone("+49"), ["phone": "+49"]), (.passkey(["id": "x"]), ["credential": ["id": "x"]]),
            (.createAccount, ["create_account": true]), (.waited, [:]),
        ] as [(StepAnswer, JSONValue)])
    func answers(_ answer: StepAnswer, _ expected: JSONValue) async throws {
        let rehearsal = try Rehearsal()
        let step = try await EveryStep.step(.authenticatorCode, rehearsal)
        await rehearsal.transport.add(.answer(200, Sample.signedIn()))
        _ = try await step.answer(answer)
        let sent = await rehearsal.transport.received.last
        #expect(sent?.path == "/v1/sign-in/continue")
        #expect(sent?.body == ["flow": "fl_1", "response": expected])
    }

    @Test("Recovery codes of an earlier step reach the session")
    func recoveryCodes() async throws {
        let rehearsal = try Rehearsal(
            .answer(200, Sample.step("continue_sign_in_with_totp_setup", EveryStep.members(.setUpAuthenticator))),
            .answer(200, Sample.step("confirm_sign_in_with_new_password", [:], codes: ["k3v7q-m2xpa"])),
            .answer(200, Sample.signedIn()))
        guard case .next(let setUp) = try await rehearsal.client.signIn(.username("ann")),
            case .next(let password) = try await setUp.answer(.code("123456")),
            case .signedIn(let session) = try await password.answer(.newPassword("grey heron"))
        else { throw ScriptFailure("no session") }
        #expect(password.flow?.recoveryCodes == ["k3v7q-m2xpa"])
        #expect(session.signIn?.recoveryCodes == ["k3v7q-m2xpa"])
    }

    @Test("A refused answer leaves the step as it is")
    func refused() async throws {
        let rehearsal = try Rehearsal()
        let step = try await EveryStep.step(.code, rehearsal)
        await rehearsal.transport.add(.answer(400, Sample.problem("code_wrong", 400)), .answer(200, Sample.signedIn()))
        await #expect { try await step.answer(.code("000000")) } throws: { ($0 as? GatewayError)?.code == .codeWrong }
        guard case .signedIn = try await step.answer(.code("123456")) else { throw ScriptFailure("no session") }
    }

    @Test("The end of the step is counted from now")
    func expiry() async throws {
        let rehearsal = try Rehearsal()
        let step = try await EveryStep.step(.code, rehearsal)
        #expect(step.flow?.expiresAt == rehearsal.clock.now + 600)
    }

    @Test("An answer that is none of the gateway's is an error of its own", arguments: [200, 404, 502])
    func foreignAnswers(_ status: Int) async throws {
        let rehearsal = try Rehearsal(.answer(status, ["hello": "world"]))
        await #expect { try await rehearsal.client.signIn(.passkey) } throws: { error in
            if case GatewayError.unreadableAnswer(let seen) = error { seen == status } else { false }
        }
    }
}
