import Foundation
import TestSupport

/// `samples/api`, running; `make test-long` builds it.
final class SampleAPIProcess: Sendable {
    private let client: TestClient

    private init(port: Int) { client = TestClient(port: port) }

    /// Runs `body` while it serves, for the tokens of one issuer.
    static func run(
        issuer: String, website: String = "http://localhost:3000", port: Int? = nil,
        _ body: (SampleAPIProcess) async throws -> Void
    ) async throws {
        let port = try port ?? FreePort.choose()
        let child = try ChildProcess(
            Configurations.root.appending(path: "samples/api/.build/debug/SampleAPI").path, [],
            environment: [
                "GATEWAY_URL": issuer, "CLIENT_SECRET": Deployment.clientSecret, "WEB_ORIGIN": website,
                "PORT": "\(port)",
            ])
        let api = SampleAPIProcess(port: port)
        do {
            try await poll {
                if let code = child.exitCode { throw HarnessError("It ended with \(code): \(child.errors)") }
                return (try? await api.get("/me"))?.status == 401 ? () : nil
            }
            try await body(api)
            if let code = child.exitCode { throw HarnessError("It ended with \(code): \(child.errors)") }
        } catch {
            await child.kill9()
            throw error
        }
        await child.kill9()
    }

    func get(_ path: String, _ token: String? = nil) async throws -> TestAnswer {
        try await client.send(TestRequest("GET", path).bearer(token).header("Origin", "http://localhost:3000"))
    }

    func send(_ request: TestRequest) async throws -> TestAnswer { try await client.send(request) }
}
