import Cryptography
import JSON
import Logging
import Outbound
import Providers
import Testing

/// The calls of the API: their rate, their retries, and the log of refusals.
@Suite("Calls to Microsoft's native authentication")
struct MicrosoftCallTests {
    private typealias Stage = MicrosoftStage

    // MARK: The pace

    @Test("a call waits for its turn for at most a second")
    func turns() async throws {
        let stage = try Stage(pace: RequestPace(perSecond: 2, burst: 1))
        _ = await stage.begun()
        #expect(stage.pauses.list == [.milliseconds(500)])
        let crowded = try Stage(pace: RequestPace(perSecond: 1, burst: 2))
        _ = await crowded.begun()
        crowded.tenant.on(Stage.initiate, ["continuation_token": "ct1"])
        crowded.tenant.on(Stage.challenge, ["continuation_token": "ct2", "challenge_type": "password"])
        _ = await crowded.begin(Stage.name, nil)
        #expect(crowded.pauses.list == [.seconds(1), .seconds(1)])
        let late = try Stage(pace: RequestPace(perSecond: 0, burst: 1))
        late.tenant.refuse(Stage.initiate, "user_not_found")
        _ = await late.begin()
        late.clock.advance(by: .milliseconds(-500))
        #expect(await late.begin().error == .unavailable(reason: "outbound_overloaded", retryAfter: 2))
        late.tenant.expectScriptDone()
    }

    @Test("after a 429, the tenant gets no calls for the stated time", arguments: [2, 30])
    func throttled(seconds: Int) async throws {
        let stage = try Stage()
        stage.tenant.on(Stage.initiate) { _ in
            .success(HTTPResponse(status: 429, headers: [("Retry-After", "\(seconds)")], body: []))
        }
        let throttled = ProviderError.unavailable(reason: "upstream_throttled", retryAfter: seconds)
        #expect(await stage.begin().error == throttled)
        let left = ProviderError.unavailable(reason: "outbound_overloaded", retryAfter: seconds)
        #expect(await stage.begin().error == left, "nobody was asked")
        stage.clock.advance(by: .seconds(seconds))
        #expect(await stage.begun().step == .password)
        stage.tenant.expectScriptDone()
    }

    @Test(
        "a 429 without a time does not delay other calls",
        arguments: [nil, "soon", "Fri, 01 Jan 2027 00:00:00 GMT"])
    func throttledSomehow(header: String?) async throws {
        let stage = try Stage()
        stage.tenant.on(Stage.initiate) { _ in
            let headers = header.map { [(name: "Retry-After", value: $0)] } ?? []
            return .success(HTTPResponse(status: 429, headers: headers, body: []))
        }
        #expect(await stage.begin().error == .unavailable(reason: "upstream_throttled", retryAfter: 5))
        #expect(await stage.begun().step == .password)
    }

    // MARK: Once more

    private static let lost: [(TransferError, Bool)] = [
        (.connectFailed, true), (.connectionLost, true), (.timedOut, false), (.connectTimedOut, false),
        (.resolveFailed, false), (.tlsFailed, false), (.malformedResponse, false),
        (.circuitOpen(retryAfterSeconds: 3), false),
    ]

    @Test("a first call with a failed connection is repeated exactly once", arguments: lost)
    func beginnings(row: (error: TransferError, isRepeated: Bool)) async throws {
        let stage = try Stage()
        stage.tenant.on(Stage.initiate) { _ in .failure(row.error) }
        if row.isRepeated {
            #expect(await stage.begun().step == .password)
            for _ in 0..<2 { stage.tenant.on(Stage.initiate) { _ in .failure(row.error) } }
        }
        guard case .unavailable? = await stage.begin().error else {
            Issue.record("\(row.error) was no trouble")
            return
        }
        stage.tenant.expectScriptDone()
    }

    @Test(
        "a call that may have arrived is repeated only if it is idempotent",
        arguments: [(TransferError.connectFailed, true), (.connectionLost, false)])
    func secrets(row: (error: TransferError, isRepeated: Bool)) async throws {
        let stage = try Stage()
        let asked = await stage.begun()
        stage.tenant.on(Stage.token) { _ in .failure(row.error) }
        if row.isRepeated { stage.tenant.on(Stage.token, try Stage.tokens()) }
        let outcome = await stage.answer(.password(Stage.password), to: asked)
        #expect((outcome.identity != nil) == row.isRepeated)
        #expect((outcome.error == .unavailable(reason: "upstream_unavailable", retryAfter: 5)) != row.isRepeated)
        stage.tenant.on(Stage.initiate, ["continuation_token": "ct1"])
        stage.tenant.on(Stage.challenge) { _ in .failure(row.error) }
        if row.isRepeated { stage.tenant.on(Stage.challenge, Stage.code("ct2")) }
        #expect((await stage.begin().step != nil) == row.isRepeated, "a second challenge would send a second code")
        stage.tenant.expectScriptDone()
    }

    // MARK: The log

    private static let trace: JSONObject = [
        "trace_id": "01234567-89AB-cdef-0123-456789abcdef", "correlation_id": "fedcba98-7654-3210-fedc-ba9876543210",
        "timestamp": "2027-01-15 08:00:00Z",
    ]

    @Test(
        "a refusal is logged with the ids that Microsoft's support needs",
        arguments: [
            ("user_not_found", nil, [50034], .info), ("invalid_client", "nativeauthapi_disabled", [], .warning),
            ("server_error", nil, [1, 2], .warning), ("odd", nil, [], .warning),
        ] as [(String, String?, [Int], Logger.Level)])
    func refusals(row: (error: String, suberror: String?, codes: [Int], level: Logger.Level)) async throws {
        let stage = try Stage()
        stage.tenant.refuse(Stage.initiate, row.error, row.suberror, row.codes, Self.trace)
        _ = await stage.begin()
        let line = try #require(stage.log.lines.first)
        #expect(stage.log.lines.count == 1 && line.level == row.level)
        var facts = [
            "operation": Stage.initiate, "status": "400", "error": row.error,
            "error_codes": row.codes.map(String.init).joined(separator: " "),
            "trace_id": "01234567-89ab-cdef-0123-456789abcdef",
            "correlation_id": "fedcba98-7654-3210-fedc-ba9876543210", "refused_at": "2027-01-15 08:00:00Z",
        ]
        facts["suberror"] = row.suberror
        #expect(line.facts == facts)
    }

    @Test("an error that only leads to the next step is logged at debug level")
    func interrupts() async throws {
        let stage = try Stage()
        _ = await stage.demanded("mfa_required", [Stage.method("a", "email"), Stage.method("b", "sms")])
        #expect(stage.log.lines.map(\.level) == [.debug])
    }

    @Test("the log contains no descriptions, names, secrets, tokens or malformed values")
    func silence() async throws {
        let stage = try Stage()
        let asked = await stage.begun()
        let evil = "x\n{\"level\":\"error\"} ann@example.com"
        stage.tenant.refuse(
            Stage.token, evil, evil, [50126],
            [
                "trace_id": .string(evil), "correlation_id": .string(evil), "timestamp": .string(evil),
                "error_description": .string("AADSTS50126: ann@example.com"), "continuation_token": "ct-secret",
            ])
        _ = await stage.answer(.password(Stage.password), to: asked)
        stage.tenant.on(Stage.token) { _ in
            .success(
                HTTPResponse(
                    status: 502,
                    headers: [
                        ("Content-Type", "text/html"), ("x-ms-request-id", "01234567-89ab-cdef-0123-456789abcdef"),
                    ], body: Array(evil.utf8)))
        }
        _ = await stage.answer(.password(Stage.password), to: asked)
        #expect(
            stage.log.lines.map(\.facts) == [
                ["operation": Stage.token, "status": "400", "error_codes": "50126"],
                [
                    "operation": Stage.token, "status": "502",
                    "request_id_there": "01234567-89ab-cdef-0123-456789abcdef",
                ],
            ])
        #expect(stage.log.lines.allSatisfy { $0.level == .warning })
    }

    // MARK: For a password's sake

    @Test("a password for the local account never begins a sign-up", arguments: [true, false])
    func noSignUp(isAllowed: Bool) async throws {
        let stage = try Stage(signUp: isAllowed)
        stage.tenant.refuse(Stage.initiate, "user_not_found", nil, [50034])
        #expect(await stage.begin(mustTakePassword: true).end == .credentialsWrong)
        #expect(stage.tenant.calls.map(\.path) == [Stage.initiate])
        stage.tenant.expectScriptDone()
    }

    @Test("a code cannot replace a password for the local account")
    func noCode() async throws {
        let stage = try Stage()
        stage.tenant.on(Stage.initiate, ["continuation_token": "ct1"])
        stage.tenant.on(Stage.challenge, Stage.code("ct2"))
        #expect(await stage.begin(mustTakePassword: true).end == .credentialsWrong)
        stage.tenant.on(Stage.initiate, ["continuation_token": "ct1"])
        stage.tenant.on(Stage.challenge, ["continuation_token": "ct2", "challenge_type": "password"])
        stage.tenant.on(Stage.token, try Stage.tokens())
        #expect(await stage.begin(mustTakePassword: true).identity != nil)
        stage.tenant.expectScriptDone()
    }

    // MARK: The browser

    @Test("a browser step is a configuration error if browsers use another tenant")
    func otherTenant() async throws {
        let stage = try Stage(webTenant: ProviderConformance.tenant)
        stage.tenant.on(Stage.initiate, ["challenge_type": "redirect"])
        #expect(await stage.begin().error == .misconfigured(reason: "web_tenant_differs"))
        #expect(stage.provider.health.snapshot.lastFailureReason == "web_tenant_differs")
    }
}
