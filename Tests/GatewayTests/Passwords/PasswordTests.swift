import Foundation
import JSON
import Postgres
import Testing

/// Sign-up and sign-in with a password, against the running server.
///
/// Its parts are in the other files of this folder.
@Suite("Passwords", .gateway())
struct PasswordTests {
    @Test("a sign-up, its code, a sign-in")
    func signUp() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let begun = try await gateway.post(
            "/v1/sign-up",
            [
                "client_id": "app", "username": .string(email), "password": .string(GatewayProcess.password),
                "display_name": "Ann",
            ])
        #expect(begun.status == 200)
        #expect(begun.json["status"] == "next_step")
        let step = try #require(begun.json["next_step"])
        #expect(step["type"] == "confirm_sign_up")
        #expect(step["delivery"] == ["medium": "email", "destination": "u•••@e•••.com", "code_length": 6])
        let flow = try #require(begun.json["flow"]?.string)
        #expect(try await gateway.audit(begun).map(\.action) == ["sign_up_started"])

        let confirmed = try SignedInAnswer(try await gateway.confirm(flow, try await gateway.mailedCode(to: email)))
        #expect(confirmed.isNewAccount)
        #expect(confirmed.email == email)
        #expect(confirmed.emailVerified == true)
        #expect(confirmed.displayName == "Ann")
        #expect(confirmed.answer.json["identity"] == nil)
        #expect(confirmed.answer.json["device"]?["token"]?.string?.hasPrefix("dt_") == true)
        let made = try await gateway.audit(confirmed.answer)
        #expect(made.map(\.action) == ["account_created"])
        #expect(made.first?.reason == "sign_up")

        let signedIn = try SignedInAnswer(
            try await gateway.passwordSignIn(email.uppercased(), GatewayProcess.password))
        #expect(signedIn.account == confirmed.account)
        #expect(!signedIn.isNewAccount)
        let check = try await gateway.checkSession(signedIn.accessToken)
        #expect(check.json["session"]?["provider"] == "password")
        #expect(check.json["session"]?["amr"] == ["pwd"])
        let row = try #require(try await gateway.audit(signedIn.answer).first)
        #expect([row.action, row.reason, row.provider] == ["signed_in", "password", "password"])
        // The code works once.
        #expect(try await gateway.confirm(flow, "000000").status == 400)
    }

    @Test("a code confirms as the answer to a step, too")
    func continued() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let flow = try await gateway.beginSignUp(email)
        let code = try await gateway.mailedCode(to: email)
        let answer = try await gateway.post(
            "/v1/sign-in/continue", ["flow": .string(flow), "response": ["code": .string(code)]])
        #expect(try SignedInAnswer(answer).isNewAccount)
        let missing = try await gateway.post("/v1/sign-in/continue", ["flow": .string(flow), "response": [:]])
        #expect(missing.json["errors"]?.array?.first?["pointer"] == "/response/code")
    }

    @Test("an unconfirmed sign-up creates no account")
    func unconfirmed() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        _ = try await gateway.beginSignUp(email)
        #expect(try await gateway.count("select count(*) from account_emails where address = \(email)") == 0)
        // A caller with the right password is reminded of the code; others learn nothing.
        #expect(try await gateway.passwordSignIn(email, "another heron over the weir").code == "invalid_credentials")
        let reminded = try await gateway.passwordSignIn(email, GatewayProcess.password)
        #expect(reminded.json["next_step"]?["type"] == "confirm_sign_up")
        // It does not prevent the owner's sign-in by any method.
        let owner = try await gateway.session(
            "apple", ["subject": .string(Fresh.subject("apple")), "email": .string(email)])
        #expect(owner.isNewAccount)
        #expect(owner.email == email)
        // The owner's proof ended it, so the code no longer works.
        #expect(try await gateway.count("select count(*) from flows where address_key = \(email)") == 0)
    }

    @Test("P-02: an account without a password accepts none", arguments: ["", " ", "null", GatewayProcess.password])
    func noPassword(password: String) async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let person = try await gateway.session(
            "apple", ["subject": .string(Fresh.subject("apple")), "email": .string(email)])
        #expect(person.emailVerified == true)
        let answer = try await gateway.passwordSignIn(email, password)
        let unknown = try await gateway.passwordSignIn(Fresh.email(), password)
        #expect(answer.likeness == unknown.likeness)
        let (status, code) = password.isEmpty ? (400, "invalid_request") : (401, "invalid_credentials")
        try await gateway.expectRefusal(answer, status, code, provider: "password")
    }

    @Test("a password is hashed in its normal form, with all its bytes")
    func normalForm() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let long = String(repeating: "weir ", count: 200)
        let person = try await gateway.signUp(email, password: long + "cafe\u{301} Zu\u{308}rich")
        let typed = try await gateway.passwordSignIn(email, long + "caf\u{e9} Z\u{fc}rich")
        #expect(try SignedInAnswer(typed).account == person.account)
        for wrong in [long + "cafe Zurich", long, long + "caf\u{e9} Z\u{fc}rich "] {
            #expect(try await gateway.passwordSignIn(email, wrong).code == "invalid_credentials")
        }
        let tooLong = try await gateway.passwordSignIn(email, String(repeating: "x", count: 1_025))
        try await gateway.expectRefusal(tooLong, 400, "invalid_request", provider: "password")
        #expect(tooLong.json["errors"]?.array?.first?["pointer"] == "/credential/password")
    }

    @Test(
        "P-16: a password that is short, common or the address is refused",
        arguments: [
            ("short 7", "password_too_short"), ("password", "password_common"), ("P4ssw0rd2024!", "password_common"),
            ("aaaaaaaaaaaa", "password_common"), (String(repeating: "x", count: 1_025), "password_too_long"),
            ("Heron-Keeper-2024", "password_contains_address"),
            ("HERON-KEEPER@example.com", "password_contains_address"),
        ])
    func policy(password: String, code: String) async throws {
        let gateway = try GatewayProcess.current
        let email = "heron-keeper@example.com"
        let answer = try await gateway.post(
            "/v1/sign-up", ["client_id": "app", "username": .string(email), "password": .string(password)])
        try await gateway.expectRefusal(answer, 400, code, action: "sign_up", provider: "password")
        #expect(answer.json["errors"]?.array?.first?["pointer"] == "/password")
        #expect(try await gateway.count("select count(*) from flows where address_key = \(email)") == 0)
        #expect(gateway.mails(to: email).isEmpty)
    }

    @Test(
        "an invalid address can't sign up",
        arguments: ["", "nobody", "a@b@c.example", "änn@example.com", "ann@example.com\nBcc: x@example.com"])
    func addresses(username: String) async throws {
        let gateway = try GatewayProcess.current
        let answer = try await gateway.post(
            "/v1/sign-up",
            ["client_id": "app", "username": .string(username), "password": .string(GatewayProcess.password)])
        try await gateway.expectRefusal(answer, 400, "invalid_request", action: "sign_up")
        #expect(answer.json["errors"]?.array?.first?["pointer"] == "/username")
    }
}

extension GatewayProcess {
    func confirm(_ flow: String, _ code: String) async throws -> TestAnswer {
        try await post("/v1/sign-up/confirm", ["flow": .string(flow), "response": ["code": .string(code)]])
    }

    func resend(_ flow: String) async throws -> TestAnswer {
        try await post("/v1/sign-up/resend", ["flow": .string(flow)])
    }

    /// Another code than this one.
    static func wrong(_ code: String, _ number: Int = 1) -> String {
        let value = ((Int(code) ?? 0) + number) % 1_000_000
        return String(String(value + 1_000_000).dropFirst())
    }
}

extension TestAnswer {
    /// Every distinguishable part of an answer, except those that identify the request and the time.
    var likeness: [String] {
        // Request ids differ in length, and so does the body.
        let own = ["x-request-id", "date", "content-length"]
        let names = headers.filter { !own.contains($0.name.lowercased()) }.map { header in
            let wait = header.name == "Retry-After" ? Int(header.value).map(Self.roughly) : nil
            return "\(header.name): \(wait.map(String.init) ?? header.value)"
        }.sorted()
        var body = json.object ?? [:]
        if let wait = body["retry_after"]?.integer { body["retry_after"] = .integer(Self.roughly(wait)) }
        if body["request_id"] != nil { body["request_id"] = "test" }
        if let flow = body["flow"]?.string { body["flow"] = .integer(flow.utf8.count) }
        return ["\(status)"] + names + [JSON.object(body).text]
    }

    /// A wait rounded up to tens of seconds: a countdown shows the time of the request, not the account.
    private static func roughly(_ seconds: Int) -> Int { (seconds + 9) / 10 * 10 }
}
