import Foundation
import JSON
import Synchronization
import TestSupport

/// boto3 as a client of one gateway: one process, with one call at a time.
final class Boto3: Sendable {
    private let process: ChildProcess
    private let asking = Gate(1)

    /// - Parameter environment: the keys of a back end that signs its calls; empty for unsigned calls.
    init(_ endpoint: String, signedBy environment: [String: String] = [:]) throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let root = folder.appendingPathComponent("../../..")
        // moto comes with boto3 (scripts/lib/packages.sh).
        let path = ProcessInfo.processInfo.environment["MOTO_PATH"] ?? root.appendingPathComponent("var/moto").path
        process = try ChildProcess(
            "/usr/bin/env",
            ["python3", folder.appendingPathComponent("boto3_calls.py").path, endpoint]
                + (environment.isEmpty ? [] : ["sign"]),
            environment: environment.merging(["PYTHONPATH": path]) { first, _ in first }, takesInput: true)
    }

    /// The answer, or an object with `error`, `message` and `status`.
    func call(_ operation: String, _ parameters: JSONObject) async throws -> JSON {
        try await asking.hold { try await ask(operation, parameters) }
    }

    private func ask(_ operation: String, _ parameters: JSONObject) async throws -> JSON {
        let count = process.lines.count
        process.write(
            "\(JSON.object(["operation": .string(operation), "parameters": .object(parameters)]).text)\n".utf8)
        let line = try await poll(within: .seconds(300)) { () throws -> String? in
            if process.exitCode != nil {
                throw HarnessError("boto3 has ended; 'make test' takes it from PyPI.\n\(process.errors)")
            }
            return process.lines.count > count ? process.lines[count] : nil
        }
        return try JSON(parsing: line)
    }
}

extension GatewayProcess {
    private static let clients = Mutex<[String: Boto3]>([:])

    /// boto3 for this gateway, which ends with the tests.
    var boto3: Boto3 {
        get throws {
            try Self.clients.withLock { clients in
                // A gateway that is started again listens elsewhere.
                let place = "\(deployment.folder) \(port)"
                if let client = clients[place] { return client }
                let client = try Boto3("http://127.0.0.1:\(port)")
                clients[place] = client
                return client
            }
        }
    }
}
