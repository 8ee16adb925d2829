import Foundation
import JSON
import Postgres
import TestSupport
import Testing

/// A real gateway, running with a real database and the provider simulator.
final class GatewayProcess: Sendable {
    let deployment: Deployment
    let client: TestClient
    let child: ChildProcess
    /// The time of its message that it listens.
    let listeningSince = ContinuousClock.now

    var database: TestDatabase { deployment.database }
    var simulator: SimulatorProcess { deployment.simulator }
    var port: Int { client.port }

    /// Its log so far, one JSON object per line.
    var log: String { child.errors }

    /// Waits until the log contains one of these: a line may follow its answer.
    func logged(_ texts: String..., sourceLocation: SourceLocation = #_sourceLocation) async throws {
        _ = try? await poll(within: .seconds(60)) { texts.contains { log.contains($0) } ? true : nil }
        #expect(texts.contains { log.contains($0) }, "\(texts)", sourceLocation: sourceLocation)
    }

    fileprivate init(deployment: Deployment, child: ChildProcess, port: Int) {
        (self.deployment, self.child) = (deployment, child)
        client = TestClient(port: port)
    }

    /// See ``Deployment/start(_:)``.
    static func start(_ environment: [String: String], deployment: Deployment) async throws -> GatewayProcess {
        let child = try ChildProcess("gateway", ["serve"], environment: environment, folder: deployment.folder)
        do {
            let gateway = GatewayProcess(deployment: deployment, child: child, port: try await announcedPort(of: child))
            try await gateway.waitUntilReady()
            return gateway
        } catch {
            await child.kill9()
            throw error
        }
    }

    /// The port from its log.
    private static func announcedPort(of child: ChildProcess) async throws -> Int {
        try await poll(within: .seconds(60)) {
            if let code = child.exitCode { throw HarnessError("The gateway ended with \(code): \(child.errors)") }
            for line in child.errors.split(separator: "\n") {
                let entry = try? JSON(parsing: String(line))
                guard entry?["message"]?.string == "listening", let port = entry?["port"]?.string else { continue }
                return Int(port)
            }
            return nil
        }
    }

    private func waitUntilReady() async throws {
        try await poll(within: .seconds(60)) {
            try await self.send(TestRequest("GET", "/health/ready")).status == 200 ? () : nil
        }
    }

    /// The answer's header has the server's request id, which its audit rows and log lines contain.
    func send(_ request: TestRequest) async throws -> TestAnswer { try await client.send(request) }

    func get(_ path: String, bearer: String? = nil) async throws -> TestAnswer {
        try await send(TestRequest("GET", path).bearer(bearer))
    }

    func post(_ path: String, _ body: JSON = [:], bearer: String? = nil) async throws -> TestAnswer {
        try await send(TestRequest("POST", path).json(body).bearer(bearer))
    }

    func patch(_ path: String, _ body: JSON, bearer: String? = nil) async throws -> TestAnswer {
        try await send(TestRequest("PATCH", path).json(body).bearer(bearer))
    }

    func delete(_ path: String, bearer: String? = nil) async throws -> TestAnswer {
        try await send(TestRequest("DELETE", path).bearer(bearer))
    }

    /// Sends SIGTERM; returns the exit code.
    @discardableResult
    func terminate() async -> Int? { await child.terminate() }

    /// Stops it, and expects a normal end.
    func expectGoodEnd(sourceLocation: SourceLocation = #_sourceLocation) async {
        let code = await terminate()
        #expect(code == 0, "Its last words: \(Self.lastWords(child.errors))", sourceLocation: sourceLocation)
    }

    /// The end of a process's output, or the place of its crash or sanitizer report.
    private static func lastWords(_ errors: String) -> String {
        let signs = [" crashed", "WARNING: ThreadSanitizer", "ERROR: AddressSanitizer"]
        guard let sign = signs.compactMap({ errors.range(of: $0)?.lowerBound }).min() else {
            return String(errors.suffix(2_000))
        }
        return String(errors[sign...].prefix(6_000))
    }

    /// Sends SIGKILL.
    func kill9() async { await child.kill9() }

    /// Runs SQL on its database.
    func sql<Value: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Value) async throws -> Value {
        try await database.pool.withConnection(body)
    }

    /// A number from its database.
    func count(_ query: SQL) async throws -> Int {
        try await sql { try $0.queryOne(query).map { try $0.value(0, as: Int.self) } ?? 0 }
    }
}

/// Values that are unique among tests.
enum Fresh {
    static func text() -> String { String(UInt64.random(in: .min ... .max), radix: 36) }

    /// An address at a domain.
    static func email(_ domain: String = "example.com") -> String { "user-\(text())@\(domain)" }

    /// A subject in the provider's form.
    static func subject(_ provider: String) -> String {
        switch provider {
        case "microsoft": UUID().uuidString.lowercased()
        case "amazon": "amzn1.account.\(text().uppercased())"
        case "google": "1\(UInt64.random(in: 1_000_000_000_000_000_000 ... .max))"
        default: "subject-\(text())"
        }
    }
}
