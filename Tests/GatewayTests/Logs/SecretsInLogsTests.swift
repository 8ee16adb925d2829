import Foundation
import JSON
import Postgres
import TestSupport
import Testing

/// No secret in any log, nor in the database.
@Suite("Secrets")
struct SecretsInLogsTests {
    @Test("A-04: a whole run leaves no token, password, code or key in logs, audit rows and tables")
    func wholeRun() async throws {
        try await withDeployment(ownsSimulator: true) { deployment in
            let mail = try await MailServer.start(in: deployment.folder)
            var run = SecretRun(scan: try Self.configured(deployment), answers: [])
            var changes = mail.configuration
            changes["LOG_LEVEL"] = "trace"
            changes["CLIENT_REDIRECT_URIS"] = "org.example.app:/back"
            try await deployment.serving(changes) { gateway in
                try await run.providers(gateway)
                try await run.failures(gateway)
                try await run.passwords(gateway, mail)
                try await run.sessions(gateway)
                try await run.pages(gateway)
                // The last refusals are written within a second, the rest when the gateway stops.
                await gateway.expectGoodEnd()
                #expect(run.scan.count > 80)
                // The search finds existing secrets: the code in its mail, a token in an answer.
                #expect(run.scan.hits(in: mail.mails.map(\.text).joined(separator: "\n")) == ["code"])
                for answer in run.answers where answer.json["session"]?["refresh_token"] != nil {
                    #expect(!run.scan.hits(in: answer.text).isEmpty)
                }
                #expect(gateway.log.utf8.count > 10_000)
                #expect(run.scan.hits(in: gateway.log) == [])
                #expect(gateway.child.output == "")
                let tables = try await Self.tables(gateway)
                #expect(tables.utf8.count > 20_000)
                #expect(run.scan.hits(in: tables) == [])
                for (place, text) in [("log", gateway.log), ("tables", tables)] {
                    Self.expectNoTokenShapes(text, place)
                }
                let log = gateway.log
                for answer in run.answers { #expect(log.contains("\"\(answer.requestID)\""), "\(answer.requestID)") }
            }
            try await mail.stop()
        }
    }

    /// The settings of the gateway.
    private static func configured(_ deployment: Deployment) throws -> SecretScan {
        var scan = SecretScan()
        for (key, value) in deployment.environment where key.hasSuffix("_SECRET") || key == "MASTER_KEYS" {
            scan.add(key, value)
        }
        scan.add("MASTER_KEYS, key", deployment.environment["MASTER_KEYS"].map { String($0.dropFirst(3)) })
        scan.add("SMTP_PASSWORD", MailServer.password)
        let key = try String(contentsOfFile: "\(deployment.folder)/apple.p8", encoding: .utf8)
        for (number, line) in key.split(separator: "\n").filter({ !$0.hasPrefix("-----") }).enumerated() {
            scan.add("APPLE_PRIVATE_KEY, line \(number)", String(line))
        }
        return scan
    }

    /// Every row of every table, as text.
    private static func tables(_ gateway: GatewayProcess) async throws -> String {
        try await gateway.sql { connection in
            let names: [String] = try connection.query(
                "select quote_ident(table_name)::text from information_schema.tables where table_schema = 'public'"
            ).map { try $0.value(0) }
            return try names.flatMap { name in
                let all = SQL(unsafeSQL: "select coalesce(string_agg(t::text, E'\\n'), '') from \(name) t")
                return try connection.query(all).map { try $0.value(0, as: String.self) }
            }.joined(separator: "\n")
        }
    }

    /// Tokens outside the run's records, such as those from providers.
    private static func expectNoTokenShapes(_ text: String, _ place: String) {
        let shapes = [
            "eyJ[A-Za-z0-9_-]{10}", "\\b(rt|dt|fl|hc)_[A-Za-z0-9_-]{30}", "\\bgh[ou]_", "Atz[ar]\\|", "\\.rrxx\\.",
            "2e727278782e",
            "BEGIN [A-Z ]*PRIVATE",
        ]
        for shape in shapes {
            #expect(text.range(of: shape, options: .regularExpression) == nil, "\(shape) in \(place)")
        }
    }
}

/// A run that uses and records every kind of secret.
private struct SecretRun {
    var scan: SecretScan
    var answers: [TestAnswer]

    @discardableResult
    private mutating func keep(_ name: String, _ answer: TestAnswer) -> TestAnswer {
        scan.add("\(name) \(answers.count)", answer)
        answers.append(answer)
        return answer
    }

    private mutating func mint(_ gateway: GatewayProcess, _ provider: String, _ members: JSONObject = [:]) async throws
        -> Minted
    {
        let minted = try await gateway.simulator.mint(provider, members)
        scan.add("\(provider) \(scan.count)", minted)
        return minted
    }

    mutating func providers(_ gateway: GatewayProcess) async throws {
        for provider in ["apple", "microsoft", "cognito", "google", "acme", "amazon"] {
            var members: JSONObject = ["subject": .string(Fresh.subject(provider)), "email": .string(Fresh.email())]
            var nonce: String?
            if provider != "amazon" {
                nonce = keep("nonce", try await gateway.post("/v1/nonce")).json["nonce"]?.string
                members["nonce"] = nonce.map(JSON.string)
            }
            let minted = try await mint(gateway, provider, members)
            let answer = keep(provider, try await gateway.signIn(minted, nonce: nonce))
            #expect(answer.status == 200, "\(provider): \(answer.text)")
            // Again, and with another nonce: both are refused.
            #expect(keep(provider, try await gateway.signIn(minted, nonce: nonce)).status == 401)
            #expect(keep(provider, try await gateway.signIn(minted, nonce: "AAAA\(Fresh.text())")).status >= 400)
        }
        for provider in ["apple", "amazon", "google", "acme"] {
            let minted = try await mint(gateway, provider, ["subject": .string(Fresh.subject(provider))])
            let answer = keep(provider, try await gateway.signIn(provider, credential: minted.codeCredential()))
            #expect(answer.status == 200, "\(provider): \(answer.text)")
        }
        #expect(try await gateway.count("select count(*) from provider_tokens") >= 1)
    }

    /// Misplaced secrets, and failing providers.
    mutating func failures(_ gateway: GatewayProcess) async throws {
        let person = try await gateway.anyone()
        keep("person", person.answer)
        for signing in ["tampered", "none", "hs256-with-public-key", "unpublished-key"] {
            let minted = try await mint(gateway, "google", ["signing": .string(signing)])
            #expect(keep("google", try await gateway.signIn(minted)).status == 401)
        }
        let token = try await mint(gateway, "acme").token
        let misplaced = [
            TestRequest("GET", "/v1/session?access_token=\(person.accessToken)"),
            TestRequest("GET", "/v1/\(person.refreshToken)"),
            TestRequest("GET", "/v1/session").header("Authorization", "Basic \(token)"),
            TestRequest("GET", "/v1/session").header("Authorization", token),
            TestRequest("GET", "/v1/session").bearer(token),
            TestRequest("POST", "/v1/sign-in").header("Content-Type", "application/json").bytes(
                Array("{\"id_token\":\"\(token)\",}".utf8)),
            TestRequest("POST", "/v1/sign-in").json(["provider": .string(token), "client_id": "app", "credential": [:]]
            ),
            TestRequest("POST", "/v1/sign-in").json([
                "provider": "acme", "client_id": .string(token), "credential": [:],
            ]),
            TestRequest("POST", "/v1/sign-in").json([
                "provider": "acme", "client_id": "app", "credential": ["id_token": [.string(token)]],
            ]),
            TestRequest("POST", "/v1/sign-in").json([
                "provider": "apple", "client_id": "app", "credential": ["id_token": .string(token)],
            ]),
            TestRequest("POST", "/v1/token/refresh").json(["refresh_token": .string(token)]),
            TestRequest("POST", "/v1/sign-in").form([("id_token", token)]),
        ]
        for request in misplaced { #expect(keep("misplaced", try await gateway.send(request)).status >= 400) }
        let amazon = try await mint(gateway, "amazon")
        for mode in ["error", "garbled", "html", "truncated"] {
            try await gateway.simulator.behave("amazon", mode)
            #expect(keep("amazon", try await gateway.signIn(amazon)).status == 503)
            try await gateway.simulator.behave("amazon", "normal")
        }
    }

    mutating func passwords(_ gateway: GatewayProcess, _ mail: MailServer) async throws {
        let (email, password, wrong) = (Fresh.email(), "grey heron \(Fresh.text())", "no heron \(Fresh.text())")
        scan.add("password", password)
        scan.add("wrong password", wrong)
        let begun = keep(
            "sign-up",
            try await gateway.post(
                "/v1/sign-up", ["client_id": "app", "username": .string(email), "password": .string(password)]))
        let flow = try #require(begun.json["flow"]?.string)
        let code = try await mail.code(to: email)
        for (name, text) in [("code", code), ("wrong code", GatewayProcess.wrong(code))] { scan.add(name, code: text) }
        #expect(keep("wrong code", try await gateway.confirm(flow, GatewayProcess.wrong(code))).status == 400)
        #expect(keep("too long a code", try await gateway.confirm(flow, password)).status == 400)
        #expect(keep("sign-up", try await gateway.confirm(flow, code)).status == 200)
        for (name, password) in [(email, wrong), (Fresh.email(), password), (password, password)] {
            #expect(keep("password", try await gateway.passwordSignIn(name, password)).status == 401)
        }
        let answer = keep("password", try await gateway.passwordSignIn(email, password))
        let device = try #require(answer.json["device"]?["token"]?.string)
        #expect(keep("device", try await gateway.passwordSignIn(email, password, device: device)).status == 200)
        // The address belongs to the user, and Amazon cannot prove it, so a flow waits for the proof.
        let amazon = try await mint(
            gateway, "amazon",
            ["subject": .string(Fresh.subject("amazon")), "email": .string(email)])
        let asked = keep("link", try await gateway.signIn(amazon))
        let linkFlow = try #require(asked.json["flow"]?.string)
        #expect(keep("link", try await gateway.passwordSignIn(email, password, linkFlow: linkFlow)).status == 200)
    }

    mutating func sessions(_ gateway: GatewayProcess) async throws {
        let person = try await gateway.anyone()
        keep("person", person.answer)
        let second = keep("refresh", try await gateway.refresh(person.refreshToken))
        let pair = try TokenPair(second)
        for token in [pair.accessToken, pair.refreshToken, "rt_" + String(repeating: "A", count: 91)] {
            keep("introspection", try await gateway.introspect(token))
        }
        let wrongSecret = "wrong-secret-\(Fresh.text())"
        scan.add("wrong client secret", wrongSecret)
        scan.add("wrong client secret, Basic", Data("app:\(wrongSecret)".utf8).base64EncodedString())
        #expect(
            keep(
                "introspection",
                try await gateway.form(
                    "/v1/token/introspect", [("token", pair.accessToken)], secret: wrongSecret)
            ).status == 401)
        try await sealedSecret(gateway)
        keep("check", try await gateway.checkSession(pair.accessToken))
        let third = try TokenPair(keep("refresh", try await gateway.refresh(pair.refreshToken)))
        #expect(keep("replay", try await gateway.refresh(person.refreshToken)).code == "refresh_token_reused")
        #expect(keep("ended", try await gateway.refresh(third.refreshToken)).status == 401)
        let other = try await gateway.anyone()
        keep("person", other.answer)
        #expect(keep("sign-out", try await gateway.signOut(other.accessToken)).status == 204)
        #expect(keep("ended", try await gateway.checkSession(other.accessToken)).status == 401)
    }

    /// A client secret that the database keeps sealed.
    private mutating func sealedSecret(_ gateway: GatewayProcess) async throws {
        let app = "sealed-\(Fresh.text())"
        try await gateway.addClient(app, secret: nil)
        let made = try await gateway.deployment.run(
            "clients", "replace-secret", app, "--sealed", "--yes", "--json", "--reason", "asked for by a test")
        let secret = try made.secret()
        #expect(made.exitCode == 0 && secret.utf8.count == 43, "\(made.errors)")
        scan.add("client secret", secret)
        scan.add("client secret, Basic", Data("\(app):\(secret)".utf8).base64EncodedString())
        try await poll {
            let answer = try await gateway.form(
                "/v1/token/introspect", [("token", "x")], client: app, secret: secret)
            return answer.status == 200 ? () : nil
        }
    }

    /// Through the providers' own pages: to a cookie, and to an app.
    mutating func pages(_ gateway: GatewayProcess) async throws {
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        let app =
            "redirect_uri=org.example.app%3A%2Fback&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
        scan.add("the app's verifier", verifier)
        for provider in WebSignInTests.providers {
            for query in ["", app] {
                let browser = try await PageBrowser.open(gateway, "/login")
                let back = try await gateway.simulator.authorize(
                    try await browser.start(provider, query), ["email": .string(Fresh.email())])
                for (name, value) in back.parameters where ["state", "code", "id_token"].contains(name) {
                    scan.add("\(provider) \(scan.count), \(name)", value)
                }
                for (name, value) in browser.secretCookies { scan.add("\(provider) \(scan.count), \(name)", value) }
                try await browser.comeBack(back)
                for (name, value) in browser.secretCookies { scan.add("\(provider) \(scan.count), \(name)", value) }
                guard let code = browser.departureQuery["code"] else {
                    try #require(query.isEmpty, "\(browser.page.text)")
                    continue
                }
                scan.add("\(provider) hand-over \(scan.count)", code)
                let tokens = try await gateway.send(
                    TestRequest("POST", "/v1/token").form([
                        ("grant_type", "authorization_code"), ("client_id", "app"), ("code", code),
                        ("redirect_uri", "org.example.app:/back"), ("code_verifier", verifier),
                    ]))
                #expect(tokens.status == 200)
                for member in ["access_token", "refresh_token"] {
                    scan.add("\(provider) \(scan.count), \(member)", tokens.json[member]?.string)
                }
            }
        }
    }
}

extension PageBrowser {
    /// The cookies without the one that names a sign-in method, which logs name too.
    fileprivate var secretCookies: [String: String] { cookies.filter { $0.key != "__Host-method" } }
}
