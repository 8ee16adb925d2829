import Glibc
import JSON
import TestSupport
import Testing

/// The whole gateway with its own TLS.
@Suite("A gateway with a certificate", .timeLimit(.minutes(30)))
struct SecureGatewayTests {
    private static func settings(_ pair: CertificateFolder.Pair) -> [String: String] {
        [
            "TLS_CERTIFICATE_FILE": pair.certificate, "TLS_KEY_FILE": pair.key, "SHUTDOWN_SECONDS": "60",
            "PUBLIC_URL": "https://localhost:8443", "ENVIRONMENT": "development",
        ]
    }

    private static func port(of gateway: ChildProcess) async throws -> Int {
        try await poll(within: .seconds(60)) {
            if let code = gateway.exitCode { throw HarnessError("The gateway ended with \(code): \(gateway.errors)") }
            for line in gateway.errors.split(separator: "\n") {
                let entry = try? JSON(parsing: String(line))
                if entry?["message"]?.string == "listening" { return entry?["port"]?.string.flatMap { Int($0) } }
            }
            return nil
        }
    }

    private static func signIn(_ minted: Minted) -> String {
        let body: JSON = [
            "provider": .string(minted.provider), "client_id": "app", "credential": .object(minted.credential()),
        ]
        return String(decoding: body.bytes(), as: UTF8.self)
    }

    private static let post = ["--header", "Content-Type: application/json", "--data-binary", "@input"]

    @Test("it signs users in over HTTP/2 and HTTP/1.1, and finishes requests in flight when it is stopped")
    func course() async throws {
        let folder = try CertificateFolder()
        let pair = try await folder.pair()
        try await withDeployment(ownsSimulator: true) { deployment in
            let environment = deployment.environment.merging(Self.settings(pair)) { $1 }
            let gateway = try ChildProcess(
                "gateway", ["serve"], environment: environment, folder: deployment.folder)
            do {
                try await Self.course(gateway, deployment.simulator, pair)
            } catch {
                await gateway.kill9()
                throw error
            }
        }
    }

    private static func course(
        _ gateway: ChildProcess, _ simulator: SimulatorProcess, _ pair: CertificateFolder.Pair
    ) async throws {
        let port = try await port(of: gateway)
        try await poll(within: .seconds(60)) {
            try await Tool.curl(port: port, "/health/ready", trusting: pair.certificate).status == "HTTP/2 200"
                ? () : nil
        }
        // The certificate is valid for two days.
        try await poll(within: .seconds(60)) {
            let lines = gateway.errors.split(separator: "\n").compactMap { try? JSON(parsing: String($0)) }
            let told = lines.first { $0["name"] == "certificate" }
            return told?["message"] == "a credential ends soon" && told?["level"] == "warning" ? () : nil
        }
        let minted = try await simulator.mint("apple", [:])
        let signedIn = try await Tool.curl(
            port: port, "/v1/sign-in", trusting: pair.certificate, post, input: signIn(minted))
        #expect(signedIn.status == "HTTP/2 200", "\(signedIn.output)")
        #expect(signedIn.header("strict-transport-security") == ["max-age=31536000"])
        let token = try #require(try JSON(parsing: signedIn.body)["session"]?["access_token"]?.string)
        let session = try await Tool.curl(
            port: port, "/v1/session", trusting: pair.certificate,
            ["--http1.1", "--header", "Authorization: Bearer \(token)"])
        #expect(session.status == "HTTP/1.1 200", "\(session.output)")

        try await simulator.behave("amazon", "slow", endpoint: "tokeninfo", ["delay_ms": 3_000])
        let slow = try await simulator.mint("amazon")
        let asked = try await simulator.requests("amazon", "tokeninfo")
        let answer = Task {
            try await Tool.curl(port: port, "/v1/sign-in", trusting: pair.certificate, post, input: signIn(slow))
        }
        try await poll(within: .seconds(30)) {
            try await simulator.requests("amazon", "tokeninfo") == asked + 1 ? () : nil
        }
        gateway.send(signal: SIGTERM)
        let answered = try await answer.value
        #expect(answered.status == "HTTP/2 200", "\(answered.exitCode ?? -1) \(answered.output) \(answered.errors)")
        #expect(await gateway.waitForExit(within: .seconds(60)) == 0)
    }

    @Test("invalid files prevent the start, with one sentence and the configuration's exit status")
    func refusal() async throws {
        let folder = try CertificateFolder()
        let (pair, other) = (try await folder.pair(), try await folder.pair("other"))
        let wrong = Self.settings(.init(certificate: pair.certificate, key: other.key))
        let sentence =
            "TLS_KEY_FILE: \(other.key) is not the key of the first certificate in \(pair.certificate)"
        try await withDeployment { deployment in
            for command in ["serve", "check-configuration"] {
                let result = try await deployment.run(command, changes: wrong)
                #expect(result.exitCode == 78)
                #expect(result.errors == "The configuration has one thing to mend:\n  \(sentence)\n")
            }
            let right = try await deployment.run("check-configuration", changes: Self.settings(pair))
            #expect(right.exitCode == 0, "\(right.errors)")
            #expect(right.output.contains(pair.certificate))
            #expect(!right.output.contains("BEGIN"))
        }
    }
}
