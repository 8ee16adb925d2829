import JSON
import TestSupport
import Testing

/// Failing providers, each test with another one, sequentially, because circuits keep their state.
@Suite("Providers at fault", .gateway(["PROVIDER_TIMEOUT_SECONDS": "3"], ownsSimulator: true), .serialized)
struct ProviderFaultTests {
    @Test("J-24: an Amazon token of another app is refused before the profile request")
    func amazonAudience() async throws {
        let gateway = try GatewayProcess.current
        let before = try await gateway.simulator.requests("amazon", "profile")
        let attacks: [(JSONObject, String)] = [
            (["client_id": "amzn1.application-oa2-client.other"], "audience_mismatch"),
            (["tokeninfo": ["aud": nil]], "audience_mismatch"),
            (["tokeninfo": ["aud": ""]], "audience_mismatch"),
            (["tokeninfo": ["aud": ["amzn1.application-oa2-client.example"]]], "audience_mismatch"),
            (["tokeninfo": ["aud": "AMZN1.APPLICATION-OA2-CLIENT.EXAMPLE"]], "audience_mismatch"),
            (["tokeninfo": ["app_id": "amzn1.application.other"]], "app_mismatch"),
            (["tokeninfo": ["app_id": nil]], "app_mismatch"),
            (["tokeninfo": ["iss": "https://www.amazon.evil.example"]], "issuer_not_allowed"),
            (["tokeninfo": ["exp": 0]], "expired"),
            (["tokeninfo": ["exp": -5]], "expired"),
            (["tokeninfo": ["exp": 4_102_444_800]], "claim_type"),
            (["tokeninfo": ["exp": "3600"]], "claim_type"),
            (["tokeninfo": ["iat": 1]], "too_old"),
            (["tokeninfo": ["iat": nil]], "issued_at_invalid"),
        ]
        for (members, code) in attacks {
            let subject = Fresh.subject("amazon")
            var members = members
            members["subject"] = .string(subject)
            let answer = try await gateway.signIn("amazon", members)
            try await gateway.expectRefusal(answer, 401, code, provider: "amazon")
            try await gateway.expectNobody("amazon", subject)
        }
        #expect(try await gateway.simulator.requests("amazon", "profile") == before)
        let mixed = try await gateway.signIn("amazon", ["profile": ["user_id": "amzn1.account.SOMEBODYELSE"]])
        try await gateway.expectRefusal(mixed, 401, "subject_mismatch", provider: "amazon")
        #expect(try await gateway.simulator.requests("amazon", "profile") == before + 1)
        let unknown = try await gateway.signIn("amazon", credential: ["access_token": .string("Atza|\(Fresh.text())")])
        try await gateway.expectRefusal(unknown, 401, "upstream_invalid_token", provider: "amazon")
    }

    /// The failure modes of an endpoint.
    private static let modes = ["error", "garbled", "html", "redirect", "huge", "truncated", "empty", "hang"]

    @Test(
        "J-25: a failing provider answers 503 in time, gets no requests for a while, affects no other provider, and is used again",
        arguments: modes)
    func amazonFails(mode: String) async throws {
        let gateway = try GatewayProcess.current
        let minted = try await gateway.simulator.mint("amazon")
        try await gateway.simulator.behave("amazon", mode, endpoint: "tokeninfo")
        for _ in 0..<5 {
            let answer = try await gateway.signIn(minted)
            // A 200 without the required members names another audience: refused, but not a failure.
            if mode == "empty" {
                try await gateway.expectRefusal(answer, 401, "audience_mismatch", provider: "amazon")
                continue
            }
            try await gateway.expectRefusal(answer, 503, "provider_unavailable", provider: "amazon")
            // The provider has three seconds, a request two minutes; the rest is for a slow machine.
            #expect(answer.duration < .seconds(15))
            if mode == "hang" { break }
        }
        _ = try await gateway.session("apple")
        _ = try await gateway.session("google")
        try await gateway.simulator.behave("amazon", "normal", endpoint: "tokeninfo")
        try await recovered(gateway, minted)
        #expect(try await gateway.simulator.strayRequests() == 0, "a redirection was followed")
    }

    @Test("J-25: after five failures in a row, the provider gets no requests for a while")
    func circuit() async throws {
        let gateway = try GatewayProcess.current
        let minted = try await gateway.simulator.mint("amazon")
        try await gateway.simulator.behave("amazon", "error", endpoint: "tokeninfo", ["status": 500])
        let before = try await gateway.simulator.requests("amazon", "tokeninfo")
        let answers = try await inParallel(0..<40) { _ in try await gateway.signIn(minted) }
        #expect(answers.allSatisfy { $0.status == 503 && $0.code == "provider_unavailable" })
        let late = try await inParallel(0..<40) { _ in try await gateway.signIn(minted) }
        #expect(late.allSatisfy { $0.status == 503 })
        let asked = try await gateway.simulator.requests("amazon", "tokeninfo") - before
        #expect(asked >= 5 && asked <= 45, "asked \(asked) times")
        try await gateway.simulator.behave("amazon", "normal", endpoint: "tokeninfo")
        try await recovered(gateway, minted)
    }

    @Test(
        "J-25: an unavailable profile doesn't create a user without a name",
        arguments: ["error", "garbled", "redirect"])
    func profileFails(mode: String) async throws {
        let gateway = try GatewayProcess.current
        let subject = Fresh.subject("amazon")
        let minted = try await gateway.simulator.mint("amazon", ["subject": .string(subject)])
        try await gateway.simulator.behave("amazon", mode, endpoint: "profile")
        try await gateway.expectRefusal(
            try await gateway.signIn(minted), 503, "provider_unavailable", provider: "amazon")
        try await gateway.expectNobody("amazon", subject)
        try await gateway.simulator.behave("amazon", "normal", endpoint: "profile")
        // The failure did not spend the token.
        try await recovered(gateway, minted)
    }

    @Test(
        "J-25: a failure of Apple's token endpoint creates no account, and the same token signs in later",
        arguments: ["error", "html", "redirect"])
    func codeExchangeFails(mode: String) async throws {
        let gateway = try GatewayProcess.current
        let subject = Fresh.subject("apple")
        let minted = try await gateway.simulator.mint("apple", ["subject": .string(subject)])
        try await gateway.simulator.behave("apple", mode, endpoint: "token")
        let answer = try await gateway.signIn("apple", credential: minted.codeCredential())
        try await gateway.expectRefusal(answer, 503, "provider_unavailable", provider: "apple")
        try await gateway.expectNobody("apple", subject)
        try await gateway.simulator.behave("apple", "normal", endpoint: "token")
        _ = try SignedInAnswer(try await gateway.signIn(minted))
    }

    /// Waits until the circuit lets a probe pass.
    private func recovered(_ gateway: GatewayProcess, _ minted: Minted) async throws {
        let answer = try await poll(within: .seconds(40), every: .milliseconds(250)) {
            let answer = try await gateway.signIn(minted)
            return answer.status == 503 ? nil : answer
        }
        _ = try SignedInAnswer(answer)
    }
}
