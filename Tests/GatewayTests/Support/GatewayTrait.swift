import TestSupport
import Testing

/// Gives a suite one gateway with its own database: `@Suite(.gateway())`, and in its tests ``GatewayProcess/current``.
///
/// The gateway starts before the first test of the suite and stops after the last. Then the invariants of the database
/// are checked. Tests of one suite run in parallel, each with its own users.
struct GatewayTrait: SuiteTrait, TestScoping {
    let changes: @Sendable (Deployment) throws -> [String: String?]
    let ownsSimulator: Bool
    var gate = Gate.gateways

    @concurrent func provideScope(
        for test: Test, testCase: Test.Case?, performing body: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withGateway(changes: changes, ownsSimulator: ownsSimulator, gate: gate) { gateway in
            try await GatewayProcess.$serving.withValue(gateway) { try await body() }
        }
    }
}

extension Trait where Self == GatewayTrait {
    /// - Parameters:
    ///   - changes: configuration keys that differ from ``Deployment/environment``.
    ///   - ownsSimulator: for suites that make providers fail or count their requests.
    static func gateway(_ changes: [String: String?] = [:], ownsSimulator: Bool = false) -> Self {
        GatewayTrait(changes: { _ in changes }, ownsSimulator: ownsSimulator)
    }

    /// - Parameter changes: the same, depending on the deployment.
    static func gateway(
        gate: Gate = .gateways, changes: @escaping @Sendable (Deployment) throws -> [String: String?]
    ) -> Self {
        GatewayTrait(changes: changes, ownsSimulator: false, gate: gate)
    }
}

extension GatewayProcess {
    @TaskLocal fileprivate static var serving: GatewayProcess?

    /// The gateway of the suite.
    static var current: GatewayProcess {
        get throws {
            guard let serving else { throw HarnessError("The suite has no .gateway() trait.") }
            return serving
        }
    }
}

/// Runs `body` with its own gateway, checks the invariants, and cleans up.
func withGateway(
    _ changes: [String: String?] = [:], ownsSimulator: Bool = false, _ body: (GatewayProcess) async throws -> Void
) async throws {
    try await withGateway(changes: { _ in changes }, ownsSimulator: ownsSimulator, body)
}

/// The same with changes that depend on the deployment.
func withGateway(
    changes: (Deployment) throws -> [String: String?], ownsSimulator: Bool = false, gate: Gate = .gateways,
    _ body: (GatewayProcess) async throws -> Void
) async throws {
    try await withDeployment(ownsSimulator: ownsSimulator, gate: gate) { deployment in
        let gateway = try await deployment.start(changes(deployment))
        do {
            try await body(gateway)
        } catch {
            await gateway.kill9()
            throw error
        }
        await gateway.expectGoodEnd()
    }
}

/// Runs `body` with an environment for gateways, checks the invariants, and cleans up.
func withDeployment(
    ownsSimulator: Bool = false, gate: Gate = .gateways, _ body: (Deployment) async throws -> Void
) async throws {
    let gate = GatewayProcess.serving == nil ? gate : .furtherGateways
    try await gate.holdForSuite {
        let deployment = try await Deployment.make(ownsSimulator: ownsSimulator)
        do {
            try await body(deployment)
            try await Invariants.check(deployment.database)
        } catch {
            await deployment.remove()
            throw error
        }
        await deployment.remove()
    }
}
