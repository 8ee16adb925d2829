import JSON
import Postgres
import TestSupport
import Testing

/// Bot checks in the API, with a service of the test.
@Suite("Bot checks")
struct BotCheckTests {
    /// A sign-up, a reset and a code request, each for a new address.
    private static func requests(_ app: String) -> [(path: String, body: JSONObject)] {
        let id = JSON.string(app)
        func name() -> JSON { .string(Fresh.email()) }
        return [
            (
                "/v1/sign-up",
                ["client_id": id, "username": name(), "password": .string(GatewayProcess.password)]
            ),
            ("/v1/password/forgot", ["client_id": id, "username": name()]),
            ("/v1/sign-in", ["client_id": id, "provider": "email_otp", "credential": ["username": name()]]),
        ]
    }

    private func post(
        _ gateway: GatewayProcess, _ path: String, _ body: JSONObject, token: String? = nil, from address: String
    ) async throws -> TestAnswer {
        var body = body
        body["bot_check"] = token.map(JSON.string)
        return try await gateway.send(
            TestRequest("POST", path).header("X-Forwarded-For", address).json(.object(body)))
    }

    private func expectAsked(_ answer: TestAnswer, _ code: String) {
        #expect(answer.status == 403 && answer.code == code, "\(answer.text)")
        #expect(answer.json["widget"] == "turnstile" && answer.json["site_key"] == .string(SiteVerify.siteKey))
    }

    @Test("below its budget a network is not asked; beyond it each request needs a new token, until an hour later")
    func budget() async throws {
        try await SiteVerify.with { gateway, service in
            let requests = Self.requests("app")
            for (path, body) in requests.prefix(2) {
                _ = try PendingAnswer(try await post(gateway, path, body, from: "192.0.2.1"))
            }
            #expect(service.addresses.isEmpty, "no call below the budget")
            for (number, (path, body)) in requests.enumerated() {
                let token = "human \(number)"
                expectAsked(try await post(gateway, path, body, from: "192.0.2.1"), "bot_check_required")
                expectAsked(
                    try await post(gateway, path, body, token: "robot", from: "192.0.2.1"), "bot_check_failed")
                _ = try PendingAnswer(try await post(gateway, path, body, token: token, from: "192.0.2.1"))
                expectAsked(try await post(gateway, path, body, token: token, from: "192.0.2.1"), "bot_check_failed")
            }
            #expect(service.addresses == Array(repeating: "192.0.2.1", count: 9))
            let (path, body) = requests[1]
            _ = try PendingAnswer(try await post(gateway, path, body, from: "192.0.2.2"))
            try await gateway.anHourLater()
            _ = try PendingAnswer(try await post(gateway, path, body, from: "192.0.2.1"))
        }
    }

    @Test("a password sign-in is never asked, and charges nothing")
    func signIn() async throws {
        try await SiteVerify.with { gateway, service in
            let email = Fresh.email()
            _ = try await gateway.signUp(email)
            for _ in 0..<4 { #expect(try await gateway.passwordSignIn(email, GatewayProcess.password).status == 200) }
            _ = try await gateway.signUp(Fresh.email())
            #expect(service.addresses.isEmpty)
        }
    }

    @Test("an app that always asks does so at the first request, and one that never asks at none")
    func policies() async throws {
        try await SiteVerify.with { gateway, service in
            for (path, body) in Self.requests(try await gateway.botCheckingApp("always")) {
                expectAsked(try await post(gateway, path, body, from: "192.0.2.1"), "bot_check_required")
                let token = "human \(Fresh.text())"
                _ = try PendingAnswer(try await post(gateway, path, body, token: token, from: "192.0.2.1"))
            }
            #expect(service.addresses.count == 3)
            let never = try await gateway.botCheckingApp("off")
            for (path, body) in Self.requests(never) + Self.requests(never) {
                _ = try PendingAnswer(try await post(gateway, path, body, from: "192.0.2.1"))
            }
            #expect(service.addresses.count == 3)
        }
    }

    @Test("another code, and a choice that sends the first one, are asked too")
    func steps() async throws {
        try await SiteVerify.with { gateway, _ in
            let app = try await gateway.botCheckingApp("always")
            let chosen = try PendingAnswer(try await gateway.begin("password", Fresh.email(), app: app))
            let choice: JSONObject = ["flow": .string(chosen.flow), "response": ["factor": "email_otp"]]
            expectAsked(
                try await post(gateway, "/v1/sign-in/continue", choice, from: "192.0.2.1"), "bot_check_required")
            let sent = try PendingAnswer(
                try await post(gateway, "/v1/sign-in/continue", choice, token: "human 1", from: "192.0.2.1"))
            try await gateway.waitForResend(sent.flow)
            let again: JSONObject = ["flow": .string(sent.flow)]
            expectAsked(try await post(gateway, "/v1/sign-in/resend", again, from: "192.0.2.1"), "bot_check_required")
            _ = try PendingAnswer(
                try await post(gateway, "/v1/sign-in/resend", again, token: "human 2", from: "192.0.2.1"))
            let (path, body) = Self.requests(app)[0]
            let signUp = try PendingAnswer(try await post(gateway, path, body, token: "human 3", from: "192.0.2.1"))
            try await gateway.waitForResend(signUp.flow)
            let resend: JSONObject = ["flow": .string(signUp.flow)]
            expectAsked(try await post(gateway, "/v1/sign-up/resend", resend, from: "192.0.2.1"), "bot_check_required")
            _ = try PendingAnswer(
                try await post(gateway, "/v1/sign-up/resend", resend, token: "human 4", from: "192.0.2.1"))
        }
    }

    @Test("3-N2: a token that the service can't read is refused")
    func unreadable() async throws {
        try await SiteVerify.with { gateway, _ in
            let app = try await gateway.botCheckingApp("always")
            for (path, body) in Self.requests(app) {
                expectAsked(
                    try await post(gateway, path, body, token: "unreadable", from: "192.0.2.1"), "bot_check_failed")
            }
        }
    }

    @Test("a token of a page on another host is refused, unless the app has that origin")
    func hosts() async throws {
        try await SiteVerify.with { gateway, _ in
            let app = try await gateway.botCheckingApp("always")
            let (path, body) = Self.requests(app)[1]
            expectAsked(
                try await post(gateway, path, body, token: "foreign 1", from: "192.0.2.1"), "bot_check_failed")
            try await gateway.change("update clients set origins = '{https://elsewhere.example.com}' where id = \(app)")
            try await poll {
                let token = "foreign \(Fresh.text())"
                return try await post(gateway, path, body, token: token, from: "192.0.2.1").status == 200 ? () : nil
            }
        }
    }

    @Test("during an outage of the service a request with a token passes, and the log reports the outage")
    func outage() async throws {
        try await SiteVerify.with { gateway, service in
            service.stop()
            for (path, body) in Self.requests(try await gateway.botCheckingApp("always")) {
                _ = try PendingAnswer(try await post(gateway, path, body, token: "any", from: "192.0.2.1"))
            }
            try await gateway.logged("the bot check service gives no usable answer")
        }
    }

    @Test("3-N2: with a wrong secret each check fails, and the log has the fault without the secret")
    func wrongSecret() async throws {
        let wrong = "0x4AAAAAAA-another-secret"
        try await SiteVerify.with(["BOT_CHECK_SECRET": wrong]) { gateway, service in
            let (path, body) = Self.requests(try await gateway.botCheckingApp("always"))[1]
            expectAsked(try await post(gateway, path, body, token: "human", from: "192.0.2.1"), "bot_check_failed")
            #expect(service.addresses.count == 1)
            try await gateway.logged("invalid-input-secret")
            #expect(!gateway.log.contains(wrong))
        }
    }

    @Test("without a service no app asks, whatever its policy")
    func unconfigured() async throws {
        try await withGateway { gateway in
            for (path, body) in Self.requests(try await gateway.botCheckingApp("always")) {
                _ = try PendingAnswer(try await post(gateway, path, body, from: "192.0.2.1"))
            }
        }
    }
}
