import TestSupport
import Testing

/// Two gateways on one database: `@Suite(.gatewayPair())`, and in its tests ``GatewayPair/current``.
struct GatewayPair: Sendable {
    let one: GatewayProcess
    let two: GatewayProcess

    var deployment: Deployment { one.deployment }

    @TaskLocal fileprivate static var serving: GatewayPair?

    /// The pair of the suite.
    static var current: GatewayPair {
        get throws {
            guard let serving else { throw HarnessError("The suite has no .gatewayPair() trait.") }
            return serving
        }
    }
}

/// See ``GatewayPair``.
struct GatewayPairTrait: SuiteTrait, TestScoping {
    let changes: [String: String?]

    @concurrent func provideScope(
        for test: Test, testCase: Test.Case?, performing body: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withGatewayPair(changes) { pair in
            try await GatewayPair.$serving.withValue(pair) { try await body() }
        }
    }
}

extension Trait where Self == GatewayPairTrait {
    /// - Parameter changes: configuration keys that differ from ``Deployment/environment``.
    static func gatewayPair(_ changes: [String: String?] = [:]) -> Self { GatewayPairTrait(changes: changes) }
}

/// Runs `body` with two gateways on one database, checks the invariants, and cleans up.
func withGatewayPair(_ changes: [String: String?] = [:], _ body: (GatewayPair) async throws -> Void) async throws {
    try await withDeployment { deployment in
        let one = try await deployment.start(changes)
        do {
            let two = try await deployment.start(changes)
            do {
                try await body(GatewayPair(one: one, two: two))
            } catch {
                await two.kill9()
                throw error
            }
            await two.expectGoodEnd()
        } catch {
            await one.kill9()
            throw error
        }
        await one.expectGoodEnd()
    }
}
