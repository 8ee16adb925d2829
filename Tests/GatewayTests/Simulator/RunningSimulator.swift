import TestSupport
import Testing

/// Gives a suite the shared simulator and no gateway: `@Suite(.simulated)`, and in its tests ``RunningSimulator/current``.
struct RunningSimulator: SuiteTrait, TestScoping {
    @TaskLocal private static var serving: SimulatorProcess?

    static var current: SimulatorProcess {
        get throws {
            guard let serving else { throw HarnessError("The suite has no .simulated trait.") }
            return serving
        }
    }

    @concurrent func provideScope(
        for test: Test, testCase: Test.Case?, performing body: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let simulator = try await SharedSimulator.shared.acquire()
        do {
            try await Self.$serving.withValue(simulator) { try await body() }
        } catch {
            await SharedSimulator.shared.release()
            throw error
        }
        await SharedSimulator.shared.release()
    }
}

extension Trait where Self == RunningSimulator {
    static var simulated: Self { RunningSimulator() }
}
