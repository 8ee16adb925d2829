import JSON
import Testing

/// The same tenant without browser redirects.
@Suite("A browser step without a browser")
struct BrowserStepRefusalTests {
    @Test(
        "it is refused as a configuration error, and the log has the reason",
        arguments: [
            ([:], "web_tenant_differs"), (["MICROSOFT_WEB_TENANT_ID": SimulatedTenant.id], "web_sign_in_missing"),
        ] as [([String: String], String)])
    func refused(row: (changes: [String: String], reason: String)) async throws {
        try await withGateway(row.changes) { gateway in
            let name = try await SimulatedTenant(gateway.simulator).user(["redirects": ["oauth2/v2.0/initiate"]])
            let answer = try await gateway.signIn("microsoft", credential: ["username": .string(name)])
            #expect(answer.code == "provider_misconfigured", "\(answer.text)")
            try await gateway.logged(#""reason":"\#(row.reason)""#)
        }
    }
}

/// A tenant that fails during a wait.
@Suite("A password reset at a tenant in trouble")
struct SlowResetTests {
    @Test("a poll repeats, also concurrently, at most twenty times")
    func comingBack() async throws {
        try await withGateway(ownsSimulator: true) { gateway in
            let tenant = try SimulatedTenant(gateway.simulator)
            let name = try await tenant.user(["polls": 100])
            let begun = try await gateway.signIn("microsoft", credential: ["username": .string(name)])
            let flow = try #require(begun.json["flow"])
            func answer(_ response: JSON) async throws -> TestAnswer {
                try await gateway.post("/v1/sign-in/continue", ["flow": flow, "response": response])
            }
            _ = try await answer(["forgot_password": true])
            let code = try await tenant.code("reset_password", of: name)
            let waiting = try await answer(["code": .string(code), "new_password": "N3w-Horse!"])
            #expect(waiting.json["next_step"]?["type"] == "continue_password_reset", "\(waiting.text)")
            try await gateway.simulator.behave("microsoft", "error", endpoint: "native")
            for _ in 0..<10 {
                async let one = answer([:])
                async let other = answer([:])
                for told in try await [one, other] {
                    #expect(told.json["next_step"]?["type"] == "continue_password_reset", "\(told.text)")
                    #expect(told.json["next_step"]?["retry_after"]?.integer.map { $0 > 0 } == true)
                }
            }
            let last = try await answer([:])
            #expect(last.code == "throttled" && last.header("Retry-After") != nil, "\(last.text)")
            try await gateway.logged("Microsoft gives no answer", "Microsoft refuses a call")
        }
    }
}
