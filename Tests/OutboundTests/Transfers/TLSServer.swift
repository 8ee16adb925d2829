import Foundation
import TestSupport

/// A TLS server in its own process: `tls_server.py` with a test certificate.
struct TLSServer: Sendable {
    /// One line of the server's report.
    struct Event: Decodable, Sendable {
        let event: String
        var verb: String?
        var encrypted: Bool?
        var sender: String?
        var recipient: String?
        var user: String?
        var lines: [String]?
    }

    let port: Int
    private let process: ChildProcess

    private init(mode: String, certificate: TestCertificate, arguments: [String]) async throws {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../tls_server.py").path
        let process = try ChildProcess(
            "/usr/bin/env",
            ["python3", script, "--mode", mode, "--certificate", certificate.path, "--key", certificate.keyPath]
                + arguments, takesInput: true)
        self.process = process
        port = try await poll { () throws -> Int? in
            if process.exitCode != nil {
                throw HarnessError("The TLS server didn't start; is python3 installed?\n\(process.errors)")
            }
            return process.lines.first.flatMap { Int($0) }
        }
    }

    /// Runs `body` with a server and stops it.
    @discardableResult
    static func with<T>(
        _ mode: String, certificate: TestCertificate, arguments: [String] = [], _ body: (TLSServer) async throws -> T
    ) async throws -> T {
        let server = try await TLSServer(mode: mode, certificate: certificate, arguments: arguments)
        // The server ends with its input.
        defer { server.process.closeInput() }
        return try await body(server)
    }

    /// Ends the server and returns its report.
    func finish() async throws -> [Event] {
        process.closeInput()
        guard await process.waitForExit() == 0 else { throw HarnessError("The TLS server failed: \(process.errors)") }
        return try process.lines.dropFirst().map {
            try JSONDecoder().decode(Event.self, from: Data($0.utf8))
        }
    }
}
