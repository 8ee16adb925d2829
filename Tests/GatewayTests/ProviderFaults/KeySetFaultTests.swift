import JSON
import Postgres
import TestSupport
import Testing

/// Failing key sets, each test with another provider, because an unknown key forces at most one fetch a minute.
@Suite("Key sets at fault", .gateway(["PROVIDER_TIMEOUT_SECONDS": "5"], ownsSimulator: true), .serialized)
struct KeySetFaultTests {
    /// A provider's fault and its expected result.
    struct Fault: Sendable, CustomTestStringConvertible {
        let row: String
        let provider: String
        let mode: String
        /// Further members of the mint.
        var mint: JSONObject = [:]

        var testDescription: String { "\(row): \(provider), \(mode)" }
    }

    private static let faults = [
        Fault(
            row: "J-12", provider: "microsoft", mode: "error",
            mint: ["external": true, "tenant": "bbbbbbbb-cccc-dddd-eeee-ffffffffffff"]),
        Fault(row: "J-13", provider: "acme", mode: "empty"),
        Fault(row: "J-13", provider: "google", mode: "html"),
        Fault(row: "J-13", provider: "microsoft", mode: "huge"),
        Fault(row: "J-13", provider: "cognito", mode: "duplicate_kid"),
    ]

    @Test("J-12, J-13: while the keys are unreadable or empty, the last valid set stays", arguments: faults)
    func lastGoodSetStays(fault: Fault) async throws {
        let gateway = try GatewayProcess.current
        try await waitForCoolDown(gateway)
        let known = try await gateway.simulator.mint(fault.provider, fault.mint)
        _ = try await gateway.session(fault.provider, fault.mint)
        let before = try await gateway.simulator.requests(fault.provider, "keys")
        try await gateway.simulator.behave(fault.provider, fault.mode, endpoint: "keys")
        // The unknown key forces a fetch, which cannot decide whether the key is valid.
        for _ in 0..<3 {
            var members = fault.mint
            members["signing"] = "unpublished-key"
            let unknown = try await gateway.signIn(fault.provider, members)
            try await gateway.expectRefusal(unknown, 503, "provider_unavailable", provider: fault.provider)
        }
        #expect(try await gateway.simulator.requests(fault.provider, "keys") == before + 1)
        #expect(try SignedInAnswer(try await gateway.signIn(known)).isNewAccount)
        _ = try await gateway.session("apple")
        try await gateway.simulator.behave(fault.provider, "normal", endpoint: "keys")
    }

    @Test("J-11: a thousand tokens of unknown keys cost one key request, and affect no other provider")
    func unknownKeyFlood() async throws {
        let gateway = try GatewayProcess.current
        try await waitForCoolDown(gateway)
        let before = try await gateway.simulator.requests("apple", "keys")
        let one = try await gateway.simulator.mintBatch(
            "apple", ["count": 20, "distinct_subjects": true, "signing": "unpublished-key"])
        let many = try await inParallel(0..<20) { number in
            try await gateway.simulator.mint("apple", ["header": ["kid": .string("unknown-\(number)")]])
        }
        let good = try await gateway.simulator.mintBatch("apple", ["count": 20, "distinct_subjects": true])
        let flood = one + many
        async let attack = inParallel(0..<25) { runner in
            try await flood.indices.asyncMap { number in
                let answer = try await gateway.signIn(flood[(number + runner) % flood.count])
                return answer.status == 503 ? answer.retryAfter : answer.status
            }
        }
        let others = try await inParallel(good) { try await gateway.signIn($0) }
        let answers = try await Array(attack.joined())
        // One key was looked up; the others stay undecided for the rest of the cool-down.
        let refused = answers.count { $0 == 401 }
        #expect(refused > 0)
        #expect(answers.count == 25 * 40)
        #expect(answers.allSatisfy { $0 == 401 || (1...60).contains($0) }, "refused, or told when to come back")
        #expect(others.allSatisfy { $0.status == 200 })
        #expect(try await gateway.simulator.requests("apple", "keys") == before + 1)
        let rows = try await poll(within: .seconds(30)) {
            let rows = try await gateway.count(
                "select count(*) from audit_events where reason = 'key_unknown' and provider = 'apple'")
            return rows >= refused ? rows : nil
        }
        #expect(rows == refused, "each refusal leaves one row")
    }

    @Test(
        "K7: after a rotation within the cool-down valid tokens get 503 with Retry-After, never 401, and then sign in")
    func unannouncedRotation() async throws {
        try await withGateway(["PROVIDER_TIMEOUT_SECONDS": "5"], ownsSimulator: true) { gateway in
            _ = try await gateway.session("google")
            let junk = try await gateway.signIn("google", ["signing": "unpublished-key"])
            try await gateway.expectRefusal(junk, 401, "key_unknown", provider: "google")
            try await gateway.simulator.rotate("google", keepOld: false)
            let good = try await gateway.simulator.mint("google", ["subject": .string(Fresh.subject("google"))])
            let early = try await gateway.signIn(good)
            try await gateway.expectRefusal(early, 503, "provider_unavailable", provider: "google")
            #expect((1...60).contains(early.retryAfter))
            try await Task.sleep(for: .seconds(early.retryAfter))
            #expect(try SignedInAnswer(try await gateway.signIn(good)).isNewAccount)
        }
    }

    /// The gateway read every key set at its start; a minute later it may fetch again.
    private func waitForCoolDown(_ gateway: GatewayProcess) async throws {
        try await Task.sleep(until: gateway.listeningSince + .seconds(63))
    }
}

extension TestAnswer {
    /// Seconds of `Retry-After`; 0 if it is missing.
    fileprivate var retryAfter: Int { header("Retry-After").flatMap { Int($0) } ?? 0 }
}

@Suite("A cold start without a provider", .serialized)
struct ColdStartTests {
    @Test("a provider that is down at the start is used after its recovery")
    func comesBack() async throws {
        try await withDeployment(ownsSimulator: true) { deployment in
            try await deployment.simulator.behave("acme", "error")
            let gateway = try await deployment.start()
            let minted = try await gateway.simulator.mint("acme")
            try await gateway.expectRefusal(
                try await gateway.signIn(minted), 503, "provider_unavailable", provider: "acme")
            _ = try await gateway.session("google")
            try await gateway.simulator.behave("acme", "normal")
            let answer = try await poll(within: .seconds(40), every: .milliseconds(500)) {
                let answer = try await gateway.signIn(minted)
                return answer.status == 503 ? nil : answer
            }
            _ = try SignedInAnswer(answer)
            await gateway.expectGoodEnd()
        }
    }
}
