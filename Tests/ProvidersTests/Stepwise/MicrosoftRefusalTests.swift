import Cryptography
import JSON
import Outbound
import Providers
import TestSupport
import Testing

/// Each row of the API's error tables, at the steps where it is possible.
@Suite("Microsoft's refusals")
struct MicrosoftRefusalTests {
    private typealias Stage = MicrosoftStage

    struct Row: Sendable {
        let error: String
        var suberror: String?
        var codes: [Int] = []
        let outcome: Result<StepwiseAnswer, ProviderError>

        init(_ error: String, _ suberror: String? = nil, _ codes: [Int] = [], ends end: StepwiseEnd) {
            (self.error, self.suberror, self.codes) = (error, suberror, codes)
            outcome = .success(.ended(end))
        }

        init(_ error: String, _ suberror: String? = nil, _ codes: [Int] = [], fails failure: ProviderError) {
            (self.error, self.suberror, self.codes) = (error, suberror, codes)
            outcome = .failure(failure)
        }
    }

    private static func wrong(_ reason: String) -> ProviderError { .misconfigured(reason: reason) }
    private static func away(_ reason: String) -> ProviderError { .unavailable(reason: reason, retryAfter: 5) }

    @Test(
        "at the beginning",
        arguments: [
            Row("user_not_found", nil, [50034], ends: .credentialsWrong),
            Row("invalid_request", nil, [90100], fails: .invalidRequest(member: "username", reason: "malformed")),
            Row("invalid_request", nil, [901_007], fails: wrong("request_refused")),
            Row("invalid_request", fails: wrong("request_refused")),
            Row("invalid_client", "nativeauthapi_disabled", fails: wrong("native_authentication_disabled")),
            Row("invalid_client", fails: wrong("client_rejected")),
            Row("unauthorized_client", nil, [700_016], fails: wrong("client_unknown")),
            Row("unsupported_challenge_type", nil, [901_007], fails: wrong("request_refused")),
            Row("expired_token", nil, [552_003], ends: .expired), Row("invalid_request", nil, [55112], ends: .expired),
            Row("server_error", fails: away("upstream_unavailable")),
            Row("slow_down", fails: away("upstream_throttled")),
            Row("something_new", "odd", [1], fails: away("upstream_unexpected")),
            Row("invalid_grant", "invalid_oob_value", fails: away("upstream_malformed")),
            Row("invalid_grant", "mfa_required", fails: away("upstream_malformed")),
            Row("access_denied", ends: .declined),
        ])
    func beginnings(row: Row) async throws {
        let stage = try Stage()
        stage.tenant.refuse(Stage.initiate, row.error, row.suberror, row.codes)
        let outcome = await stage.begin()
        #expect(outcome.result == row.outcome)
    }

    @Test(
        "for a password",
        arguments: [
            ("invalid_grant", nil, [50126], StepRefusal.passwordWrong),
            ("invalid_grant", nil, [1, 50126], .passwordWrong),
            ("invalid_grant", nil, [50034], .passwordWrong), ("user_not_found", nil, [], .passwordWrong),
            ("INVALID_GRANT", nil, [50126], .passwordWrong), ("invalid_request", nil, [90100], .passwordWrong),
        ] as [(String, String?, [Int], StepRefusal)])
    func passwords(row: (error: String, suberror: String?, codes: [Int], refusal: StepRefusal)) async throws {
        let stage = try Stage()
        let asked = await stage.begun()
        stage.tenant.refuse(Stage.token, row.error, row.suberror, row.codes)
        let outcome = await stage.answer(.password(Stage.password), to: asked)
        #expect(outcome.refusal == row.refusal)
        #expect(outcome.state == asked.state, "the old token still counts")
        stage.tenant.on(Stage.initiate, ["continuation_token": "ct1"])
        stage.tenant.on(Stage.challenge, ["continuation_token": "ct2", "challenge_type": "password"])
        stage.tenant.refuse(Stage.token, row.error, row.suberror, row.codes)
        let atOnce = await stage.begin()
        if row.codes != [90100] { #expect(atOnce.end == .credentialsWrong) }
    }

    @Test(
        "for a code",
        arguments: [
            Row("expired_token", nil, [55112], ends: .expired), Row("invalid_grant", nil, [55200], ends: .expired),
            Row("invalid_request", nil, [55000], ends: .expired),
            Row("invalid_request", nil, [55200], ends: .expired),
            Row("invalid_scope", fails: wrong("scope_rejected")),
            Row("unsupported_grant_type", fails: wrong("request_refused")),
            Row("invalid_grant", "mfa_required", fails: away("upstream_malformed")),
            Row("invalid_grant", "registration_required", fails: away("upstream_malformed")),
            Row("credential_required", nil, [55103], fails: away("upstream_malformed")),
            Row("authorization_pending", fails: away("upstream_throttled")),
        ])
    func codes(row: Row) async throws {
        let stage = try Stage()
        let asked = await stage.begun("oob")
        stage.tenant.refuse(Stage.token, row.error, row.suberror, row.codes)
        #expect(await stage.answer(.code("12345678"), to: asked).result == row.outcome)
    }

    @Test("a wrong code is recognised by its error word, else by its number", arguments: [50181, 50184, 501_811])
    func wrongCodes(number: Int) async throws {
        let stage = try Stage()
        let asked = await stage.begun("oob")
        stage.tenant.refuse(Stage.token, "invalid_grant", nil, [number], ["continuation_token": "fresh"])
        let wrong = await stage.answer(.code("12345678"), to: asked)
        #expect(wrong.refusal == .codeWrong)
        stage.tenant.on(Stage.token, try Stage.tokens(), expecting: ["continuation_token": "fresh"])
        #expect(await stage.answer(.code("12345678"), to: wrong).identity != nil)
    }

    @Test(
        "for a new password",
        arguments: [
            ("password_too_weak", PasswordFault.tooWeak), ("password_too_short", .tooShort),
            ("password_too_long", .tooLong), ("password_recently_used", .recentlyUsed), ("password_banned", .banned),
            ("password_is_invalid", .malformed),
        ] as [(String, PasswordFault)])
    func newPasswords(row: (suberror: String, fault: PasswordFault)) async throws {
        let stage = try Stage(signUp: true)
        stage.tenant.refuse(Stage.initiate, "user_not_found")
        stage.tenant.on("signup/v1.0/start", ["continuation_token": "ct1"])
        stage.tenant.on("signup/v1.0/challenge", ["continuation_token": "ct2", "challenge_type": "password"])
        let asked = await stage.begin()
        stage.tenant.refuse("signup/v1.0/continue", "invalid_grant", row.suberror)
        let outcome = await stage.answer(.newPassword(Stage.password, attributes: [:]), to: asked)
        #expect(outcome.refusal == .passwordRejected([row.fault]))
    }

    @Test(
        "an answer that is not the API's is a failure of the provider",
        arguments: [
            HTTPResponse(status: 502, headers: [("Content-Type", "text/html")], body: Array("<p>".utf8)),
            HTTPResponse(status: 200, headers: [("Content-Type", "text/html")], body: Array("<p>".utf8)),
            .json("null"), .json("[]"), .json("{}", status: 400), .json("{}", status: 201),
            .json(#"{"error":"invalid_grant","error_codes":[50126]}"#, status: 429),
        ])
    func trouble(response: HTTPResponse) async throws {
        let stage = try Stage()
        stage.tenant.on(Stage.initiate) { _ in .success(response) }
        guard case .unavailable? = await stage.begin().error else {
            Issue.record("an answer with status \(response.status) was taken")
            return
        }
    }
}
