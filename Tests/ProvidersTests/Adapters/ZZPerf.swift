import FoundationEssentials
import JSON
import Providers
import Testing
@Test func perf() async throws {
    let stage = try Stage(.apple)
    let token: JSON = .string(try stage.token())
    let c: JSONObject = ["identity_token": token]
    _ = try await stage.provider.verify(c, at: TestClock.now)
    let s = ContinuousClock.now
    for _ in 0..<20000 { _ = try await stage.provider.verify(c, at: TestClock.now) }
    let d = ContinuousClock.now - s
    Issue.record("per verify \(d/20000)")
}
