import Foundation
import JSON
import Testing

/// Calls every operation of a running gateway and compares each answer with `docs/openapi.yaml`: status, headers,
/// content type, every member.
@Suite("docs/openapi.yaml against the running server", .gateway(StepServer.withApps))
struct OpenAPIServerTests {
    let page: OpenAPIDocument

    init() throws {
        page = try OpenAPIDocument.current.get()
    }

    @discardableResult
    func send(_ request: TestRequest, sourceLocation: SourceLocation = #_sourceLocation) async throws
        -> TestAnswer
    {
        let answer = try await GatewayProcess.current.send(request)
        #expect(page.complaints(about: answer, to: request) == [], "\(answer.text)", sourceLocation: sourceLocation)
        return answer
    }

    func post(_ path: String, _ body: JSON, bearer: String? = nil) async throws -> TestAnswer {
        try await send(TestRequest("POST", path).json(body).bearer(bearer))
    }

    @Test("signing in, using, refreshing and ending a session")
    func session() async throws {
        #expect(try await send(TestRequest("POST", "/v1/nonce")).status == 200)
        let minted = try await GatewayProcess.current.simulator.mint("apple", ["subject": "openapi.session"])
        let signedIn = try await post(
            "/v1/sign-in", ["provider": "apple", "client_id": "app", "credential": .object(minted.credential())])
        let token = try #require(signedIn.json["session"]?["access_token"]?.string)
        for path in ["/v1/session", "/v1/account", "/v1/account/identities", "/v1/account/sessions"] {
            #expect(try await send(TestRequest("GET", path).bearer(token)).status == 200)
        }
        #expect(
            try await send(TestRequest("PATCH", "/v1/account").json(["display_name": "Ann"]).bearer(token)).status
                == 200)
        let google = try await GatewayProcess.current.simulator.mint("google", ["subject": "openapi.session"])
        let linked = try await post(
            "/v1/account/identities", ["provider": "google", "credential": .object(google.credential())], bearer: token)
        #expect(linked.status == 201)
        let identity = try #require(linked.json["identity"]?["id"]?.string)
        #expect(try await send(TestRequest("DELETE", "/v1/account/identities/\(identity)").bearer(token)).status == 204)
        let refreshToken = try #require(signedIn.json["session"]?["refresh_token"]?.string)
        #expect(try await post("/v1/token/refresh", ["refresh_token": .string(refreshToken)]).status == 200)
        let ordered = try await GatewayProcess.current.simulator.mint("apple", ["subject": "openapi.session"])
        let identified = try await post(
            "/v1/sign-in",
            [
                "provider": "apple", "client_id": "app", "credential": .object(ordered.credential()),
                "scope": "openid email", "nonce": "n-0S6_WzA2Mj",
            ])
        let session = try #require(identified.json["session"])
        #expect(session["id_token"] != nil && session["scope"] == "openid email")
        let again = JSON.object(["refresh_token": try #require(session["refresh_token"])])
        #expect(try await post("/v1/token/refresh", again).json["session"]?["id_token"] != nil)
        #expect(try await post("/v1/sign-out", ["scope": "local"], bearer: token).status == 204)
        #expect(try await send(TestRequest("GET", "/v1/session").bearer(token)).code == "session_ended")
    }

    @Test("the user's rights: access, export, deletion, cancellation")
    func privacy() async throws {
        let person = try await GatewayProcess.current.session("apple", ["subject": "openapi.privacy"])
        func ask(_ method: String, _ path: String, _ token: String = person.accessToken) async throws -> Int {
            try await send(TestRequest(method, path).bearer(token)).status
        }
        #expect(try await ask("GET", "/v1/account/export") == 200)
        #expect(try await ask("GET", "/v1/account/events?limit=1") == 200)
        #expect(try await ask("GET", "/v1/account/events?limit=0") == 400)
        #expect(try await ask("DELETE", "/v1/account/deletion") == 404)
        #expect(try await ask("DELETE", "/v1/account") == 202)
        let back = try await GatewayProcess.current.session("apple", ["subject": "openapi.privacy"])
        for path in ["/v1/account", "/v1/session"] { #expect(try await ask("GET", path, back.accessToken) == 200) }
        #expect(try await ask("DELETE", "/v1/account/deletion", back.accessToken) == 204)
    }

    @Test("signing up with a password, signing in with it, and being asked to link")
    func passwords() async throws {
        let gateway = try GatewayProcess.current
        let (email, password) = ("openapi@example.org", GatewayProcess.password)
        let step = try await post(
            "/v1/sign-up", ["client_id": "app", "username": .string(email), "password": .string(password)])
        let flow = try #require(step.json["flow"]?.string)
        #expect(try await post("/v1/sign-up/resend", ["flow": .string(flow)]).code == "resend_too_soon")
        #expect(
            try await post("/v1/sign-up/confirm", ["flow": .string(flow), "response": ["code": "x"]]).code
                == "invalid_request")
        let code = try await gateway.mailedCode(to: email)
        #expect(
            try await post("/v1/sign-in/continue", ["flow": .string(flow), "response": ["code": .string(code)]]).status
                == 200)
        let credential: JSON = ["username": .string(email), "password": .string(password)]
        #expect(
            try await post("/v1/sign-in", ["provider": "password", "client_id": "app", "credential": credential]).status
                == 200)
        let wrong: JSON = ["username": .string(email), "password": "wrong"]
        #expect(
            try await post("/v1/sign-in", ["provider": "password", "client_id": "app", "credential": wrong]).code
                == "invalid_credentials")
        let amazon = try await gateway.simulator.mint(
            "amazon", ["subject": "amzn1.account.OPENAPI", "email": .string(email)])
        let asked = try await post(
            "/v1/sign-in", ["provider": "amazon", "client_id": "app", "credential": .object(amazon.credential())])
        #expect(asked.json["next_step"]?["type"] == "link_account")
        let link = try #require(asked.json["flow"]?.string)
        #expect(
            try await post("/v1/sign-in/continue", ["flow": .string(link), "response": ["create_account": true]]).status
                == 200)
        #expect(
            try await post("/v1/sign-up/confirm", ["flow": .string(flow), "response": ["code": .string(code)]]).code
                == "flow_expired"
        )
    }

    @Test("introspection and revocation")
    func standards() async throws {
        let session = try await GatewayProcess.current.session("apple", ["subject": "openapi.standards"])
        let secret = [("client_id", "app"), ("client_secret", Deployment.clientSecret)]
        for token in [session.accessToken, session.refreshToken, "made-up"] {
            #expect(
                try await send(TestRequest("POST", "/v1/token/introspect").form(secret + [("token", token)])).status
                    == 200)
        }
        #expect(
            try await send(TestRequest("POST", "/v1/token/introspect").form([("token", "x")])).code == "invalid_client")
        #expect(
            try await send(TestRequest("POST", "/v1/token/revoke").form(secret + [("token", session.refreshToken)]))
                .code == "invalid_client")
        let name = [("client_id", "app")]
        #expect(
            try await send(TestRequest("POST", "/v1/token/revoke").form(name + [("token", session.refreshToken)]))
                .status == 200)
        #expect(try await send(TestRequest("POST", "/v1/token/revoke").form(name)).code == "invalid_request")
    }

    @Test(
        "endpoints without a credential",
        arguments: [
            "/.well-known/jwks.json", "/.well-known/openid-configuration", "/.well-known/oauth-authorization-server",
            "/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/v1/account",
            "/.well-known/oauth-protected-resource/admin/api/v1",
            "/.well-known/apple-app-site-association", "/.well-known/assetlinks.json", "/health/live", "/health/ready",
        ])
    func open(path: String) async throws {
        #expect(try await send(TestRequest("GET", path)).status == 200)
    }

    @Test("every operation with a bearer token refuses a missing and a made-up one as documented")
    func withoutToken() async throws {
        for operation in page.operations where operation.json["security"] == [["bearer": []]] {
            let path = operation.path.replacingOccurrences(of: "{id}", with: "01a1fe3a-da0a-7381-bcf2-b234c60a8642")
            #expect(try await send(TestRequest(operation.method, path).json([:])).code == "access_token_missing")
            #expect(
                try await send(TestRequest(operation.method, path).json([:]).bearer("x.y.z")).code
                    == "access_token_invalid")
        }
    }

    @Test("S-19: every operation that asks for a bearer token refuses an ID token")
    func withIDToken() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        _ = try await gateway.signUp(email)
        let answer = try await gateway.post(
            "/v1/sign-in",
            [
                "provider": "password", "client_id": .string(GatewayProcess.consoleClient), "scope": "openid",
                "credential": ["username": .string(email), "password": .string(GatewayProcess.password)],
            ])
        let token = try #require(answer.json["session"]?["id_token"]?.string, "\(answer.text)")
        let operations = page.operations.filter { $0.json["security"] == [["bearer": []]] }
        #expect(operations.count > 40 && operations.contains { $0.path.hasPrefix("/admin/api/v1/") })
        for operation in operations {
            let path = operation.path.replacingOccurrences(of: "{id}", with: "01a1fe3a-da0a-7381-bcf2-b234c60a8642")
            let refused = try await send(TestRequest(operation.method, path).json([:]).bearer(token))
            #expect(refused.code == "access_token_invalid", "\(operation.name): \(refused.text)")
        }
    }

    @Test("every operation with a body refuses another type and a broken one as documented")
    func brokenBodies() async throws {
        // A user without a role, with every audience: bodies are read before roles are checked.
        let (gateway, email) = (try GatewayProcess.current, Fresh.email())
        _ = try await gateway.signUp(email)
        let session = try SignedInAnswer(
            try await gateway.passwordSignIn(email, GatewayProcess.password, app: GatewayProcess.consoleClient))
        for operation in page.operations where operation.json["requestBody"] != nil && !Self.isReport(operation.path) {
            let path = operation.path.replacingOccurrences(of: "{provider}", with: "apple")
                .replacingOccurrences(of: "{id}", with: "01a1fe3a-da0a-7381-bcf2-b234c60a8642")
                .replacingOccurrences(of: "{identity}", with: "01a1fe3a-da0a-7381-bcf2-b234c60a8642")
            let request = TestRequest(operation.method, path).bearer(session.accessToken)
            let isForm = operation.json["requestBody"]?["content"]?["application/x-www-form-urlencoded"] != nil
            let plain = try await send(request.header("Content-Type", "text/plain").bytes(Array("x".utf8)))
            #expect(try await Self.reason(plain) == "unsupported_media_type", "\(operation.name)")
            let type = isForm ? "application/x-www-form-urlencoded" : "application/json"
            let broken = try await send(request.header("Content-Type", type).bytes(Array("%".utf8)))
            #expect(try await Self.reason(broken) == "malformed_request", "\(operation.name)")
        }
    }

    /// Paths that exist only with a delivery service; `BounceTests` and `TwilioReportTests` compare them.
    private static func isReport(_ path: String) -> Bool { path.hasPrefix("/v1/events/") }

    /// The code of a refusal; for a page, it comes from the audit log.
    private static func reason(_ answer: TestAnswer) async throws -> String? {
        if let code = answer.code { return code }
        return try await GatewayProcess.current.audit(answer).first?.reason
    }

    @Test("a documented path accepts only the documented methods")
    func methods() async throws {
        for path in Set(page.operations.map(\.path)) where path != "/metrics" && !Self.isReport(path) {
            let concrete = path.replacingOccurrences(of: "{id}", with: "01a1fe3a-da0a-7381-bcf2-b234c60a8642")
                .replacingOccurrences(of: "{provider}", with: "apple").replacingOccurrences(of: "{name}", with: "x.css")
            var documented = Set(page.operations.filter { $0.path == path }.map(\.method))
            // A vendor's API (docs/compatibility/cognito.md).
            if path == "/" { documented.insert("POST") }
            if path == "/logout" { documented.insert("GET") }
            let answer = try await GatewayProcess.current.send(TestRequest("OPTIONS", concrete))
            let allowed = Set(
                (answer.header("Allow") ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) })
            #expect(allowed == (documented.contains("GET") ? documented.union(["HEAD"]) : documented), "\(path)")
        }
    }
}
