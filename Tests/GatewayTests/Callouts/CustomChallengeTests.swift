import Cryptography
import Foundation
import JSON
import Testing

/// A second factor that the operator's webhook decides.
@Suite("Custom challenges")
struct CustomChallengeTests {
    private static let secret = "0123456789abcdef0123456789abcdef"

    private static func settings(_ address: String) -> [String: String] {
        [
            "CUSTOM_CHALLENGE_URL": address, "CUSTOM_CHALLENGE_SECRET": secret, "CLIENT_CUSTOM_CHALLENGE": "true",
            "CLIENT_SECOND_FACTOR": "required",
        ]
    }

    /// Asks for the capital of France.
    private static func quiz(_ received: OperatorService.Received) -> OperatorService.Answer {
        guard received.json["event"] == "challenge.verify" else {
            return OperatorService.Answer(["public": ["question": "capital"], "private": ["country": "fr"]])
        }
        let isRight = received.json["private"]?["country"] == "fr" && received.json["answer"] == "Paris"
        return OperatorService.Answer(["right": .bool(isRight)])
    }

    private static func begin(_ gateway: GatewayProcess) async throws -> TestAnswer {
        try await gateway.signIn("apple", ["subject": .string(Fresh.subject("apple"))])
    }

    private static func answer(
        _ begun: TestAnswer, _ response: JSONObject, _ gateway: GatewayProcess
    ) async throws -> TestAnswer {
        let flow = try #require(begun.json["flow"]?.string, "\(begun.text)")
        return try await gateway.post("/v1/sign-in/continue", ["flow": .string(flow), "response": .object(response)])
    }

    private static func expectSigned(_ received: OperatorService.Received) throws {
        let header = try #require(received.headers["gateway-signature"])
        let parts = header.split(separator: ",").map(String.init)
        let time = try #require(parts.first?.dropFirst(2))
        let code = HMACSHA256.code(Array("\(time).\(received.text)".utf8), key: Array(secret.utf8))
        #expect(parts.last == "v1=" + Hex.encode(code))
        #expect(abs(Int(Date().timeIntervalSince1970) - (Int(time) ?? 0)) < 60)
    }

    @Test("a right answer is a second factor after the first")
    func right() async throws {
        try await OperatorService.with { service, address in
            try await withGateway(Self.settings(address)) { gateway in
                service.answers(Self.quiz)
                let begun = try await Self.begin(gateway)
                #expect(begun.json["next_step"]?["type"] == "confirm_sign_in_with_custom_challenge")
                #expect(begun.json["next_step"]?["challenge"] == ["question": "capital"])
                #expect(!begun.text.contains("country"), "the private part stays here")
                let done = try SignedInAnswer(try await Self.answer(begun, ["answer": "Paris"], gateway))
                let claims = try JWT(parsing: done.accessToken).claims
                #expect(claims["amr"] == ["fed", "custom", "mfa"])
                #expect(claims["acr"] == "2")
                #expect(service.received.map { $0.json["event"] } == ["challenge.create", "challenge.verify"])
                for received in service.received {
                    try Self.expectSigned(received)
                    #expect(received.json["account"] == .string(done.account))
                    #expect(received.json["client"] == "app")
                    #expect(received.json["proved"] == ["fed"])
                    #expect(received.json["attempt"] == 1)
                }
            }
        }
    }

    @Test("five wrong answers end it, and a later right one causes no request")
    func wrong() async throws {
        try await OperatorService.with { service, address in
            try await withGateway(Self.settings(address)) { gateway in
                service.answers(Self.quiz)
                let begun = try await Self.begin(gateway)
                for attempt in 1...5 {
                    let answer = try await Self.answer(begun, ["answer": "Lyon"], gateway)
                    #expect(answer.code == (attempt < 5 ? "code_wrong" : "too_many_tries"), "\(answer.text)")
                    let asked = try #require(service.received.last?.json)
                    #expect(asked["attempt"] == .integer(attempt))
                    #expect(asked["previous"]?.array?.count == attempt - 1)
                }
                service.forget()
                let late = try await Self.answer(begun, ["answer": "Paris"], gateway)
                #expect(late.code == "too_many_tries")
                #expect(service.received.isEmpty)
            }
        }
    }

    @Test("a webhook that accepts everything signs in no user without a first factor")
    func withoutFirstFactor() async throws {
        try await OperatorService.with { service, address in
            try await withGateway(Self.settings(address)) { gateway in
                service.answers(OperatorService.Answer(["right": true, "public": [:], "private": [:]]))
                let email = Fresh.email()
                let flow = try await gateway.beginSignUp(email)
                let code = try await gateway.mailedCode(to: email)
                _ = try await gateway.post(
                    "/v1/sign-up/confirm", ["flow": .string(flow), "response": ["code": .string(code)]])
                service.forget()
                let begun = try await gateway.signIn("password", credential: ["username": .string(email)])
                for response: JSONObject in [
                    ["factor": "custom_challenge"], ["answer": "Paris"], ["custom_challenge": "x"],
                ] {
                    let answer = try await Self.answer(begun, response, gateway)
                    #expect(answer.status == 400, "\(answer.text)")
                    #expect(answer.json["session"] == nil)
                }
                #expect(service.received.isEmpty)
            }
        }
    }

    @Test("a wrong code causes no request to the webhook")
    func afterWrongCode() async throws {
        try await OperatorService.with { service, address in
            try await withGateway(Self.settings(address)) { gateway in
                service.answers(Self.quiz)
                let email = Fresh.email()
                let signUp = try PendingAnswer(
                    try await gateway.post("/v1/sign-up", ["client_id": "app", "username": .string(email)]))
                let first = try await gateway.mailedCode(to: email, number: 1)
                _ = try await gateway.post(
                    "/v1/sign-up/confirm", ["flow": .string(signUp.flow), "response": ["code": .string(first)]])
                let begun = try await gateway.begin("email_otp", email)
                let code = try await gateway.mailedCode(to: email, number: 2)
                service.forget()
                for guess in 1...3 {
                    let wrong = try await Self.answer(
                        begun, ["code": .string(GatewayProcess.wrong(code, guess))], gateway)
                    #expect(wrong.code == "code_wrong", "\(wrong.text)")
                }
                #expect(service.received.isEmpty)
                let asked = try await Self.answer(begun, ["code": .string(code)], gateway)
                #expect(asked.json["next_step"]?["challenge"] == ["question": "capital"], "\(asked.text)")
            }
        }
    }

    @Test("after a failure of the webhook, the user chooses again, answers again and signs in")
    func down() async throws {
        try await OperatorService.with { service, address in
            try await withGateway(Self.settings(address)) { gateway in
                service.answers(OperatorService.Answer(status: 500, body: ""))
                let begun = try await Self.begin(gateway)
                #expect(begun.json["next_step"]?["type"] == "continue_sign_in_with_mfa_selection")
                let refused = try await Self.answer(begun, ["factor": "custom_challenge"], gateway)
                #expect(refused.status == 503)
                #expect(refused.code == "challenge_unavailable")

                service.answers(Self.quiz)
                let asked = try await Self.answer(begun, ["factor": "custom_challenge"], gateway)
                #expect(asked.json["next_step"]?["challenge"] == ["question": "capital"])
                service.answers(OperatorService.Answer(["right": "yes"]))
                let unclear = try await Self.answer(begun, ["answer": "Paris"], gateway)
                #expect(unclear.code == "challenge_unavailable", "only a plain true is right")
                service.answers(Self.quiz)
                _ = try SignedInAnswer(try await Self.answer(begun, ["answer": "Paris"], gateway))
            }
        }
    }
}
