import Foundation
import JSON
import Testing

/// The simulated tenant alone: as strict as the API's page, so that errors of the adapter are visible.
@Suite("The simulated native-authentication API", .simulated)
struct SimulatedNativeTests {
    private static let initiate = "oauth2/v2.0/initiate"
    private static let challenge = "oauth2/v2.0/challenge"
    private static let introspect = "oauth2/v2.0/introspect"
    private static let token = "oauth2/v2.0/token"

    private func call(
        _ path: String, _ fields: [String: String?], client: String = SimulatedTenant.client,
        tenant: String = SimulatedTenant.id
    ) async throws -> TestAnswer {
        var fields = fields
        if fields["client_id"] == nil { fields["client_id"] = client }
        let form = fields.compactMap { field in field.value.map { (field.key, $0) } }
        return try await RunningSimulator.current.client.send(
            TestRequest("POST", "/microsoft/\(tenant)/\(path)").form(form)
                .header("client-request-id", "01234567-89ab-cdef-0123-456789abcdef"))
    }

    private func expect(
        _ answer: TestAnswer, _ error: String, _ code: Int? = nil, _ suberror: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(answer.status == 400, sourceLocation: sourceLocation)
        #expect(answer.json["error"]?.string == error, sourceLocation: sourceLocation)
        #expect(answer.json["suberror"]?.string == suberror, sourceLocation: sourceLocation)
        #expect(answer.json["error_codes"]?.array?.first?.integer != nil, sourceLocation: sourceLocation)
        if let code { #expect(answer.json["error_codes"] == [.integer(code)], sourceLocation: sourceLocation) }
        for name in ["error_description", "timestamp", "trace_id", "correlation_id"] {
            #expect(answer.json[name]?.string?.isEmpty == false, "\(name)", sourceLocation: sourceLocation)
        }
        #expect(answer.header("Cache-Control") == "no-store", sourceLocation: sourceLocation)
        #expect(
            answer.header("client-request-id") == "01234567-89ab-cdef-0123-456789abcdef",
            sourceLocation: sourceLocation)
    }

    private func user(_ members: JSONObject = [:]) async throws -> String {
        try await SimulatedTenant(try RunningSimulator.current).user(members)
    }

    private func started(_ name: String, capabilities: String? = "mfa_required registration_required") async throws
        -> String
    {
        let answer = try await call(
            Self.initiate,
            ["username": name, "challenge_type": "oob password redirect", "capabilities": capabilities])
        return try #require(answer.json["continuation_token"]?.string, "\(answer.text)")
    }

    private func challenged(_ name: String, capabilities: String? = "mfa_required registration_required") async throws
        -> String
    {
        let token = try await started(name, capabilities: capabilities)
        let answer = try await call(Self.challenge, ["continuation_token": token])
        return try #require(answer.json["continuation_token"]?.string, "\(answer.text)")
    }

    private func buy(
        _ token: String, _ grant: String = "password", _ more: [String: String?] = [:]
    ) async throws -> TestAnswer {
        var fields: [String: String?] = ["continuation_token": token, "grant_type": grant, "scope": "openid profile"]
        if grant == "password" { fields["password"] = SimulatedTenant.password }
        for (name, value) in more { fields[name] = value }
        return try await call(Self.token, fields)
    }

    @Test(
        "parameters that are missing, empty or unknown are refused by name",
        arguments: [
            ("oauth2/v2.0/initiate", ["challenge_type": "redirect"], "username"),
            ("oauth2/v2.0/initiate", ["challenge_type": "redirect", "username": "ann"], "username"),
            ("oauth2/v2.0/initiate", ["username": "a@b.c"], "challenge_type"),
            ("oauth2/v2.0/initiate", ["username": "a@b.c", "challenge_type": "redirect", "shoe": "9"], "shoe"),
            ("oauth2/v2.0/challenge", [:], "continuation_token"), ("oauth2/v2.0/introspect", [:], "continuation_token"),
            ("signup/v1.0/continue", ["continuation_token": "x"], "grant_type"),
            ("resetpassword/v1.0/submit", ["continuation_token": "x"], "new_password"),
            ("resetpassword/v1.0/continue", ["continuation_token": "x", "grant_type": "oob"], "oob"),
            ("register/v1.0/challenge", ["continuation_token": "x", "challenge_type": "oob"], "challenge_target"),
            (
                "register/v1.0/challenge",
                ["continuation_token": "x", "challenge_type": "oob redirect", "challenge_target": "a@b.c"],
                "challenge_type"
            ),
        ] as [(String, [String: String], String)])
    func parameters(row: (path: String, fields: [String: String], name: String)) async throws {
        let answer = try await call(row.path, row.fields.mapValues { $0 })
        expect(answer, "invalid_request", 90100)
        #expect(answer.json["error_description"]?.string?.contains("\(row.name) parameter") == true)
    }

    @Test("challenge types have to be known, and redirect among them")
    func challengeTypes() async throws {
        let name = try await user()
        expect(
            try await call(Self.initiate, ["username": name, "challenge_type": "oob password"]),
            "unsupported_challenge_type", 901_007)
        let odd = try await call(Self.initiate, ["username": name, "challenge_type": "oob face redirect"])
        expect(odd, "invalid_request", 90100)
        #expect(odd.json["error_description"]?.string?.contains("contains an unsupported challenge type") == true)
        let token = try await started(name)
        let code = try await call(
            Self.challenge, ["continuation_token": token, "challenge_type": "oob redirect"])
        #expect(code.status == 200 && code.json == ["challenge_type": "redirect"])
    }

    @Test("unknown clients, tenants and users get different errors")
    func strangers() async throws {
        let fields = ["username": "nobody@example.com", "challenge_type": "oob redirect"]
        expect(try await call(Self.initiate, fields), "user_not_found", 50034)
        expect(try await call("resetpassword/v1.0/start", fields), "user_not_found", 50034)
        expect(try await call(Self.initiate, fields, client: "stranger"), "unauthorized_client", 700_016)
        let workforce = "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee"
        expect(try await call(Self.initiate, fields, tenant: workforce), "invalid_request")
        var existing = fields
        existing["username"] = try await user()
        expect(try await call("signup/v1.0/start", existing), "user_already_exists", 1_003_037)
        existing["username"] = try await user(["password": .null])
        expect(try await call("resetpassword/v1.0/start", existing), "invalid_request", 500_222)
    }

    @Test("an answer with tokens has every member that an SDK wants, numbers as numbers")
    func tokens() async throws {
        let answer = try await buy(challenged(user()))
        #expect(answer.status == 200 && answer.json["token_type"] == "Bearer" && answer.json["expires_in"] == 3_600)
        for name in ["access_token", "refresh_token", "id_token", "client_info", "scope"] {
            #expect(answer.json[name]?.string?.isEmpty == false, "\(name)")
        }
    }

    // MARK: Continuation tokens

    @Test("a token is valid until its step is done, and once")
    func reused() async throws {
        let name = try await user()
        let first = try await started(name)
        let second = try #require(
            try await call(Self.challenge, ["continuation_token": first]).json["continuation_token"]?.string)
        expect(try await call(Self.challenge, ["continuation_token": first]), "invalid_grant", 55200)
        expect(try await buy(second, "password", ["password": "wrong"]), "invalid_grant", 50126)
        #expect(try await buy(second).status == 200, "a wrong password doesn't burn it")
        expect(try await buy(second), "invalid_grant", 55200)
    }

    @Test("a token belongs to one user, client and tenant")
    func foreign() async throws {
        let (name, other) = (try await user(), try await user())
        let token = try await challenged(name)
        expect(try await buy(token, "password", ["username": other]), "invalid_grant", 55200)
        let client = UUID().uuidString.lowercased()
        _ = try await RunningSimulator.current.client.send(
            TestRequest("POST", "/control/microsoft/clients").json(["client_id": .string(client)]))
        expect(try await buy(token, "password", ["client_id": client]), "invalid_grant", 55200)
        expect(try await buy("1.Anobodys"), "invalid_grant", 55200)
        #expect(try await buy(token, "password", ["username": name]).status == 200)
    }

    @Test("an expired token is reported as expired")
    func expired() async throws {
        let token = try await started(user(["token_seconds": 0]))
        expect(try await call(Self.challenge, ["continuation_token": token]), "expired_token", 552_003)
    }

    @Test("no step is skipped: a token is valid only for its step")
    func skipped() async throws {
        let name = try await user(["methods": [["channel": "email", "target": "ann@example.org"]]])
        let first = try await started(name)
        expect(try await buy(first), "invalid_grant", 55200)
        for path in [
            Self.introspect, "register/v1.0/introspect", "resetpassword/v1.0/poll_completion",
        ] {
            expect(try await call(path, ["continuation_token": first]), "invalid_request", 55200)
        }
        expect(
            try await call("resetpassword/v1.0/submit", ["continuation_token": first, "new_password": "N3w-Horse!"]),
            "invalid_request", 55200)
        expect(
            try await call(
                "register/v1.0/continue", ["continuation_token": first, "grant_type": "continuation_token"]),
            "invalid_request", 55200)
        let asked = try await buy(challenged(name))
        expect(asked, "invalid_grant", 50076, "mfa_required")
        let second = try #require(asked.json["continuation_token"]?.string)
        for grant in ["password", "continuation_token"] {
            expect(try await buy(second, grant, ["username": name]), "invalid_grant", 55200)
        }
        let signUp = try await call(
            "signup/v1.0/start", ["username": Fresh.email(), "challenge_type": "oob password redirect"])
        let started = try #require(signUp.json["continuation_token"]?.string)
        expect(try await buy(started, "continuation_token", ["username": name]), "invalid_grant", 55200)
        expect(
            try await call("resetpassword/v1.0/challenge", ["continuation_token": started]), "invalid_request", 55200)
    }

    @Test("an unsupported challenge is redirected: a second factor, a registration")
    func capabilities() async throws {
        for members: JSONObject in [
            ["methods": [["channel": "email", "target": "ann@example.org"]]], ["registration": ["sms"]],
        ] {
            let token = try await challenged(user(members), capabilities: nil)
            #expect(try await buy(token).json == ["challenge_type": "redirect"])
        }
    }

    @Test("unknown grants and scopes are refused")
    func grants() async throws {
        let token = try await challenged(user())
        expect(try await buy(token, "saml"), "unsupported_grant_type")
        expect(try await buy(token, "password", ["scope": "profile"]), "invalid_scope")
        expect(try await buy(token, "password", ["password": nil]), "invalid_request", 90100)
    }

    @Test(
        "the control surface refuses unknown members",
        arguments: [
            ("users", [:]), ("users", ["username": "a@b.c", "shoe_size": 9]),
            ("users", ["username": "a@b.c", "methods": [["channel": "fax", "target": "1"]]]),
            ("users", ["username": "a@b.c", "registration": ["voice"]]),
            ("users", ["username": "a@b.c", "redirects": ["oauth2/v2.0/authorize"]]), ("clients", ["native": true]),
        ] as [(String, JSON)])
    func control(row: (path: String, members: JSON)) async throws {
        let answer = try await RunningSimulator.current.client.send(
            TestRequest("POST", "/control/microsoft/\(row.path)").json(row.members))
        #expect(answer.status == 400)
    }
}
