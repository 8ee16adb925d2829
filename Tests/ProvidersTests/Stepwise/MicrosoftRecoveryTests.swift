import Cryptography
import Foundation
import JSON
import Outbound
import Providers
import TestSupport
import Testing

@Suite("Sign-up and password reset at Microsoft's external tenants")
struct MicrosoftRecoveryTests {
    private typealias Stage = MicrosoftStage
    private static let start = "signup/v1.0/start"
    private static let challenge = "signup/v1.0/challenge"
    private static let goOn = "signup/v1.0/continue"

    private static func reset(_ name: String) -> String { "resetpassword/v1.0/\(name)" }

    // MARK: Sign-up

    @Test("an unknown name looks like a wrong password unless sign-up is allowed")
    func noSignUp() async throws {
        let stage = try Stage()
        stage.tenant.refuse(Stage.initiate, "user_not_found", nil, [50034])
        #expect(await stage.begin().end == .credentialsWrong)
        stage.tenant.expectScriptDone()
    }

    private func signingUp(_ stage: Stage, _ password: Secret? = Stage.password) async -> Outcome {
        stage.tenant.refuse(Stage.initiate, "user_not_found", nil, [50034])
        stage.tenant.on(Self.start, ["continuation_token": "ct1"], expecting: ["username": Stage.name])
        stage.tenant.on(Self.challenge, Stage.code("ct2"), expecting: ["continuation_token": "ct1"])
        return await stage.begin(Stage.name, password)
    }

    @Test("a sign-up takes the code, then a password, then attributes, and signs in")
    func signUp() async throws {
        let stage = try Stage(signUp: true)
        let asked = await signingUp(stage, nil)
        #expect(asked.step == .confirmSignUp(Stage.sent))
        stage.tenant.refuse(Self.goOn, "invalid_grant", "invalid_oob_value")
        #expect(await stage.answer(.code("1"), to: asked).refusal == .codeWrong)
        stage.tenant.refuse(Self.goOn, "credential_required", nil, [55103], ["continuation_token": "ct3"])
        stage.tenant.on(
            Self.challenge, ["continuation_token": "ct4", "challenge_type": "password"],
            expecting: ["continuation_token": "ct3"])
        let password = await stage.answer(.code("12345678"), to: asked)
        #expect(password.step == .newPassword(requiredAttributes: []))
        #expect(
            await stage.answer(.newPassword(Secret("short"), attributes: [:]), to: password).refusal
                == .passwordRejected([.tooShort]))
        stage.tenant.refuse(
            Self.goOn, "attributes_required", nil, [55106],
            [
                "continuation_token": "ct5",
                "required_attributes": [
                    ["name": "displayName", "type": "string", "required": true],
                    ["name": "city", "type": "string", "required": false],
                ],
            ])
        let attributes = await stage.answer(.newPassword(Stage.password, attributes: [:]), to: password)
        #expect(attributes.step == .attributes(required: ["displayName"]))
        #expect(
            await stage.answer(.attributes(["displayName": "Ann", "role": "admin"]), to: attributes).error
                == .invalidRequest(member: "attributes", reason: "not_those_asked_for"))
        stage.tenant.refuse(
            Self.goOn, "invalid_grant", "attribute_validation_failed", [],
            ["invalid_attributes": [["name": "displayName"]]])
        let invalid = await stage.answer(.attributes(["displayName": "\u{1}"]), to: attributes)
        #expect(invalid.refusal == .attributesRejected(["displayName"]))
        stage.tenant.on(
            Self.goOn, ["continuation_token": "ct6"],
            expecting: [
                "continuation_token": "ct5", "grant_type": "attributes", "attributes": #"{"displayName":"Ann"}"#,
            ])
        stage.tenant.on(
            Stage.token, try Stage.tokens(),
            expecting: ["continuation_token": "ct6", "grant_type": "continuation_token", "username": Stage.name])
        #expect(await stage.answer(.attributes(["displayName": "Ann"]), to: invalid).identity != nil)
        stage.tenant.expectScriptDone()
    }

    @Test("a refused password is demanded later; an accepted one signs up at once")
    func passwordAtStart() async throws {
        let stage = try Stage(signUp: true)
        stage.tenant.refuse(Stage.initiate, "user_not_found", nil, [50034])
        stage.tenant.refuse(Self.start, "invalid_grant", "password_banned")
        stage.tenant.on(Self.start) { call in
            #expect(call.form["password"] == nil)
            return .success(.json(#"{"continuation_token":"ct1"}"#))
        }
        stage.tenant.on(Self.challenge, Stage.code("ct2"))
        let asked = await stage.begin()
        #expect(asked.step == .confirmSignUp(Stage.sent))
        stage.tenant.on(Self.goOn, ["continuation_token": "ct3"])
        stage.tenant.on(Stage.token, try Stage.tokens())
        #expect(await stage.answer(.code("12345678"), to: asked).identity != nil)
        stage.tenant.expectScriptDone()
    }

    @Test("a sign-up without a final token restarts the sign-in")
    func noToken() async throws {
        let stage = try Stage(signUp: true)
        let asked = await signingUp(stage)
        stage.tenant.on(Self.goOn, [:])
        stage.tenant.on(Stage.initiate, ["continuation_token": "ct7"])
        stage.tenant.on(Stage.challenge, ["continuation_token": "ct8", "challenge_type": "password"])
        #expect(await stage.answer(.code("12345678"), to: asked).step == .password)
    }

    @Test("the tenant may demand a second factor right after the sign-up")
    func factorAfterwards() async throws {
        let stage = try Stage(signUp: true)
        let asked = await signingUp(stage)
        stage.tenant.on(Self.goOn, ["continuation_token": "ct3"])
        stage.tenant.refuse(Stage.token, "invalid_grant", "mfa_required", [50076], ["continuation_token": "ct4"])
        stage.tenant.on(Stage.introspect, ["continuation_token": "ct5", "methods": [Stage.method("m", "email")]])
        stage.tenant.on(Stage.challenge, Stage.code("ct6"))
        #expect(await stage.answer(.code("12345678"), to: asked).step == .otp(Stage.sent))
    }

    @Test("an address that was registered meanwhile ends the sign-up")
    func signUpEnds() async throws {
        let stage = try Stage(signUp: true)
        stage.tenant.refuse(Stage.initiate, "user_not_found", nil, [50034])
        stage.tenant.refuse(Self.start, "user_already_exists", nil, [1_003_037])
        #expect(await stage.begin().end == .contactTaken)
        let asked = await signingUp(stage)
        stage.tenant.refuse(
            Self.goOn, "verification_required", nil, [], ["unverified_attributes": [["name": "email"]]])
        #expect(await stage.answer(.code("1"), to: asked).step == .webFallback)
    }

    // MARK: Reset

    private func resetting(_ stage: Stage) async -> Outcome {
        let asked = await stage.begun()
        stage.tenant.on(Self.reset("start"), ["continuation_token": "r1"], expecting: ["username": Stage.name])
        stage.tenant.on(Self.reset("challenge"), Stage.code("r2"), expecting: ["continuation_token": "r1"])
        return await stage.answer(.passwordForgotten, to: asked)
    }

    private static let new = StepwiseResponse.resetPassword(code: "12345678", newPassword: Secret("N3w-Horse!"))

    @Test("a reset sends a code, accepts a new password, waits, and signs in")
    func forgotten() async throws {
        let stage = try Stage()
        let asked = await resetting(stage)
        #expect(asked.step == .resetPassword(Stage.sent))
        stage.tenant.on(Self.reset("challenge"), Stage.code("r3"), expecting: ["continuation_token": "r2"])
        let again = await stage.resend(asked)
        stage.tenant.on(
            Self.reset("continue"), ["continuation_token": "r4", "expires_in": "600"],
            expecting: ["continuation_token": "r3", "grant_type": "oob", "oob": "12345678"])
        stage.tenant.on(
            Self.reset("submit"), ["continuation_token": "r5", "poll_interval": "3"],
            expecting: ["continuation_token": "r4", "new_password": "N3w-Horse!"])
        stage.tenant.on(Self.reset("poll_completion"), ["status": "not_started"])
        stage.tenant.on(Self.reset("poll_completion"), ["status": "in_progress"])
        stage.tenant.on(
            Self.reset("poll_completion"), ["status": "succeeded", "continuation_token": "r6"],
            expecting: ["continuation_token": "r5"])
        stage.tenant.on(
            Stage.token, try Stage.tokens(),
            expecting: ["continuation_token": "r6", "grant_type": "continuation_token", "username": Stage.name])
        #expect(await stage.answer(Self.new, to: again).identity != nil)
        #expect(stage.pauses.list == [.seconds(3), .seconds(3)])
        stage.tenant.expectScriptDone()
    }

    @Test("a reset demanded after the password sends its code at once, and only once")
    func demanded() async throws {
        let stage = try Stage()
        let password = await stage.begun()
        stage.tenant.refuse(Stage.token, "invalid_request", nil, [50142])
        stage.tenant.on(Self.reset("start"), ["continuation_token": "r1"])
        stage.tenant.on(Self.reset("challenge"), Stage.code("r2"))
        let asked = await stage.answer(.password(Stage.password), to: password)
        #expect(asked.step == .resetPassword(Stage.sent))
        stage.tenant.on(Self.reset("continue"), ["continuation_token": "r3"])
        stage.tenant.on(Self.reset("submit"), ["continuation_token": "r4", "poll_interval": 1])
        stage.tenant.on(Self.reset("poll_completion"), ["status": "succeeded", "continuation_token": "r5"])
        stage.tenant.refuse(Stage.token, "invalid_request", nil, [50142])
        #expect(
            await stage.answer(Self.new, to: asked).error == .unavailable(reason: "upstream_malformed", retryAfter: 5))
    }

    @Test("a code is sent once: after a refused password, only the password is sent again")
    func codeOnce() async throws {
        let stage = try Stage()
        let asked = await resetting(stage)
        stage.tenant.refuse(Self.reset("continue"), "invalid_grant", "invalid_oob_value")
        let wrong = await stage.answer(Self.new, to: asked)
        #expect(wrong.refusal == .codeWrong)
        stage.tenant.on(Self.reset("continue"), ["continuation_token": "r3"])
        stage.tenant.refuse(Self.reset("submit"), "invalid_grant", "password_recently_used")
        let used = await stage.answer(Self.new, to: wrong)
        #expect(used.refusal == .passwordRejected([.recentlyUsed]))
        #expect(await stage.resend(used).refusal == .cannotResend)
        stage.tenant.on(
            Self.reset("submit"), ["continuation_token": "r4", "poll_interval": 1],
            expecting: ["continuation_token": "r3"])
        stage.tenant.refuse(Self.reset("poll_completion"), "invalid_grant", "password_banned")
        #expect(await stage.answer(Self.new, to: used).refusal == .passwordRejected([.banned]))
        stage.tenant.expectScriptDone()
    }

    @Test("a failed change is repeated exactly once")
    func failed() async throws {
        let stage = try Stage()
        let asked = await resetting(stage)
        stage.tenant.on(Self.reset("continue"), ["continuation_token": "r3"])
        for token in ["r3", "r5"] {
            stage.tenant.on(
                Self.reset("submit"), ["continuation_token": "r4", "poll_interval": 1],
                expecting: ["continuation_token": token])
            stage.tenant.on(Self.reset("poll_completion"), ["status": "failed", "continuation_token": "r5"])
        }
        #expect(
            await stage.answer(Self.new, to: asked).error
                == .unavailable(reason: "password_change_failed", retryAfter: 5))
        stage.tenant.expectScriptDone()
    }

    // MARK: A change that takes its time

    private static func reset(_ stage: Stage, every seconds: Int, _ polls: [JSON]) {
        stage.tenant.on(reset("continue"), ["continuation_token": "r3"])
        stage.tenant.on(reset("submit"), ["continuation_token": "r4", "poll_interval": .integer(seconds)])
        for poll in polls { stage.tenant.on(reset("poll_completion"), poll, expecting: ["continuation_token": "r4"]) }
    }

    private static let underWay: JSON = ["status": "in_progress"]

    @Test(
        "polling uses the tenant's interval, at most six seconds per request",
        arguments: [(1, 6), (2, 3), (4, 1), (7, 0), (15, 0), (0, 3), (16, 3)])
    func slow(row: (interval: Int, pauses: Int)) async throws {
        let interval = (1...15).contains(row.interval) ? row.interval : 2
        let stage = try Stage()
        let asked = await resetting(stage)
        Self.reset(stage, every: row.interval, Array(repeating: Self.underWay, count: row.pauses + 1))
        let waiting = await stage.answer(Self.new, to: asked)
        #expect(waiting.step == .resetUnderWay(retryAfter: interval))
        #expect(waiting.expiresIn == 120)
        #expect(stage.pauses.list == Array(repeating: .seconds(interval), count: row.pauses))
        let state = try #require(waiting.state).text
        #expect(!state.contains("N3w-Horse!"), "the password is kept nowhere")
        stage.tenant.expectScriptDone()
    }

    private func waiting(_ stage: Stage) async -> Outcome {
        let asked = await resetting(stage)
        Self.reset(stage, every: 7, [Self.underWay])
        return await stage.answer(Self.new, to: asked)
    }

    @Test("a retry signs in as soon as the new password is active")
    func askedAgain() async throws {
        let stage = try Stage()
        let first = await waiting(stage)
        stage.tenant.on(Self.reset("poll_completion"), ["status": "not_started", "continuation_token": "r5"])
        let second = await stage.answer(.waited, to: first, after: 10)
        #expect(second.step == .resetUnderWay(retryAfter: 7))
        #expect(second.expiresIn == 110)
        stage.tenant.on(
            Self.reset("poll_completion"), ["status": "succeeded", "continuation_token": "r6"],
            expecting: ["continuation_token": "r5"])
        stage.tenant.on(
            Stage.token, try Stage.tokens(),
            expecting: ["continuation_token": "r6", "grant_type": "continuation_token", "username": Stage.name])
        #expect(await stage.answer(.waited, to: second, after: 119).identity != nil)
        stage.tenant.expectScriptDone()
    }

    @Test("after two minutes the reset ends without a request", arguments: [120, 121, 3_600])
    func tooSlow(seconds: Int) async throws {
        let stage = try Stage()
        let waiting = await waiting(stage)
        #expect(await stage.answer(.waited, to: waiting, after: seconds).end == .expired)
        #expect(stage.provider.health.snapshot.lastFailureReason == "password_change_slow")
        stage.tenant.expectScriptDone()
    }

    @Test("a change that fails later demands a new password, but no code")
    func failedLater() async throws {
        let stage = try Stage()
        let waiting = await waiting(stage)
        stage.tenant.on(Self.reset("poll_completion"), ["status": "failed", "continuation_token": "r8"])
        let asked = await stage.answer(.waited, to: waiting)
        #expect(asked.step == .newPassword(requiredAttributes: []))
        #expect(
            await stage.answer(.newPassword(Secret("short"), attributes: [:]), to: asked).refusal
                == .passwordRejected([.tooShort]))
        stage.tenant.on(
            Self.reset("submit"), ["continuation_token": "r9", "poll_interval": 1],
            expecting: ["continuation_token": "r8", "new_password": "0ther-Horse!"])
        stage.tenant.on(Self.reset("poll_completion"), ["status": "succeeded", "continuation_token": "r10"])
        stage.tenant.on(Stage.token, try Stage.tokens(), expecting: ["continuation_token": "r10"])
        #expect(
            await stage.answer(.newPassword(Secret("0ther-Horse!"), attributes: [:]), to: asked).identity != nil)
        stage.tenant.expectScriptDone()
    }

    @Test("a late rule violation demands a new password; an expired token ends the reset")
    func refusedLater() async throws {
        let stage = try Stage()
        let waiting = await waiting(stage)
        stage.tenant.refuse(Self.reset("poll_completion"), "invalid_grant", "password_banned")
        #expect(await stage.answer(.waited, to: waiting).step == .newPassword(requiredAttributes: []))
        stage.tenant.refuse(Self.reset("poll_completion"), "expired_token", nil, [552_003])
        #expect(await stage.answer(.waited, to: waiting).end == .expired)
        stage.tenant.on(Self.reset("poll_completion"), ["challenge_type": "redirect"])
        #expect(await stage.answer(.waited, to: waiting).step == .webFallback)
        stage.tenant.on(Self.reset("poll_completion"), ["status": "strange"])
        #expect(
            await stage.answer(.waited, to: waiting).error
                == .unavailable(reason: "upstream_malformed", retryAfter: 5))
        #expect(
            await stage.answer(.code("1"), to: waiting).error
                == .invalidRequest(member: "response", reason: "missing"))
        #expect(await stage.resend(waiting).refusal == .cannotResend)
        stage.tenant.expectScriptDone()
    }

    @Test("a poll without an answer can be repeated, because the change continues at the tenant")
    func unanswered() async throws {
        let stage = try Stage()
        let asked = await resetting(stage)
        Self.reset(stage, every: 2, [])
        stage.tenant.on(Self.reset("poll_completion")) { _ in .failure(.timedOut) }
        let waiting = await stage.answer(Self.new, to: asked)
        #expect(waiting.step == .resetUnderWay(retryAfter: 5))
        stage.tenant.on(Self.reset("poll_completion")) { _ in
            .success(HTTPResponse(status: 429, headers: [("Retry-After", "9")], body: []))
        }
        #expect(await stage.answer(.waited, to: waiting).step == .resetUnderWay(retryAfter: 9))
        stage.tenant.expectScriptDone()
    }

    @Test("an account without a password cannot reset one")
    func noPassword() async throws {
        let stage = try Stage()
        let asked = await stage.begun()
        stage.tenant.refuse(Self.reset("start"), "invalid_request", nil, [500_222])
        #expect(await stage.answer(.passwordForgotten, to: asked).end == .noMethod)
    }
}
