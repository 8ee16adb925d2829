import Synchronization
import Testing
import Traces

@testable import Telemetry

@Suite("The sampling of traces")
struct TraceSamplerTests {
    private static func caller(isSampled: Bool) -> TraceContext {
        TraceContext(traceID: TraceID(high: 1, low: 2), span: 3, isSampled: isSampled)
    }

    @Test("without a caller, about one in the configured number is sampled")
    func ratio() {
        let sampler = TraceSampler(oneIn: 10)
        let sampled = (0..<20_000).count { _ in sampler.isSampled(nil) }
        // 2,000 expected, with a standard deviation of 42.
        #expect((1_700...2_300).contains(sampled))
        let all = TraceSampler(oneIn: 1)
        #expect((0..<100).allSatisfy { _ in all.isSampled(nil) })
    }

    @Test("a caller that samples nothing is not sampled")
    func declined() {
        let sampler = TraceSampler(oneIn: 1)
        #expect(!sampler.isSampled(Self.caller(isSampled: false)))
    }

    @Test("A-45: strangers cannot demand more traces than the budget of each second")
    func budget() {
        let second = Mutex<Int64>(5)
        let sampler = TraceSampler(oneIn: .max, seconds: { second.withLock { $0 } })
        func demanded() -> Int { (0..<100).count { _ in sampler.isSampled(Self.caller(isSampled: true)) } }
        #expect(demanded() == 10)
        #expect(demanded() == 0)
        second.withLock { $0 += 1 }
        #expect(demanded() == 10)
    }
}
