import Glibc
import JSON
import TestSupport
import Testing

/// SIGTERM: running work finishes, and no new work begins.
@Suite("Graceful stop")
struct GracefulStopTests {
    @Test("requests in flight are answered, new ones are refused, and the exit is clean")
    func inFlight() async throws {
        try await withDeployment(ownsSimulator: true) { deployment in
            try await deployment.serving(["SHUTDOWN_SECONDS": "60"]) { gateway in
                let person = try await gateway.anyone()
                let simulator = gateway.simulator
                try await simulator.behave("amazon", "slow", endpoint: "tokeninfo", ["delay_ms": 5_000])
                let tokens = try await inParallel(4) { _ in try await simulator.mint("amazon") }
                let asked = try await simulator.requests("amazon", "tokeninfo")
                let answers = Task { try await inParallel(4) { try await gateway.signIn(tokens[$0]) } }
                // All four have reached the provider, and none has its answer.
                _ = try await poll(within: .seconds(30)) {
                    try await simulator.requests("amazon", "tokeninfo") == asked + 4 ? () : nil
                }
                gateway.child.send(signal: SIGTERM)
                _ = try await poll(within: .seconds(30)) { () async throws -> Void? in
                    do {
                        return try await gateway.checkSession(person.accessToken).status == 200 ? nil : ()
                    } catch is HarnessError {
                        return ()
                    }
                }
                #expect(gateway.child.exitCode == nil)
                let codes = try await answers.value.map(\.status)
                #expect(codes == [200, 200, 200, 200])
                #expect(await gateway.child.waitForExit(within: .seconds(60)) == 0)
                await #expect(throws: HarnessError.self) { try await gateway.checkSession(person.accessToken) }
                // Changes acknowledged during the stop exist after a restart.
                let kept = try await [person.refreshToken] + answers.value.map { try SignedInAnswer($0).refreshToken }
                try await deployment.serving { next in
                    let refreshed = try await inParallel(kept.count) { try await next.refresh(kept[$0]).status }
                    #expect(refreshed.allSatisfy { $0 == 200 })
                }
            }
        }
    }

    @Test("a request that takes too long is cancelled at SHUTDOWN_SECONDS")
    func tooLong() async throws {
        try await withDeployment(ownsSimulator: true) { deployment in
            try await deployment.serving(["SHUTDOWN_SECONDS": "1", "REQUEST_TIMEOUT_SECONDS": "60"]) { gateway in
                let simulator = gateway.simulator
                let minted = try await simulator.mint("amazon")
                try await simulator.behave("amazon", "hang", endpoint: "tokeninfo")
                let asked = try await simulator.requests("amazon", "tokeninfo")
                let answer = Task { try await gateway.signIn(minted) }
                _ = try await poll(within: .seconds(30)) {
                    try await simulator.requests("amazon", "tokeninfo") == asked + 1 ? () : nil
                }
                let start = ContinuousClock.now
                gateway.child.send(signal: SIGTERM)
                // One second for the request, five for the cancellation, and the rest for a slow machine.
                #expect(await gateway.child.waitForExit(within: .seconds(30)) != nil)
                #expect(ContinuousClock.now - start < .seconds(15))
                _ = await answer.result
            }
        }
    }
}
