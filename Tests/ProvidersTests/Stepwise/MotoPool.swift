import Foundation
import JSON
import Synchronization
import TestSupport

/// User pools of moto's server: one process for the whole run, which ends with the run.
final class MotoPool: Sendable {
    /// One pool with one client.
    struct Pool: Sendable {
        let id: String
        let client: String
        let secret: String?
    }

    private static let running = Mutex<Task<MotoPool, any Error>?>(nil)

    static var shared: MotoPool {
        get async throws {
            let task = running.withLock { running in
                let task = running ?? Task { try await MotoPool() }
                running = task
                return task
            }
            return try await task.value
        }
    }

    let endpoint: String
    /// The secret of the authenticator app of user `app`.
    let appSecret: String
    private let made: JSON
    private let process: ChildProcess
    private let asking = Gate(1)

    /// `MOTO_PATH` names the folder; the default is the folder in which `make test` installs it.
    private init() async throws {
        let support = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let root = support.appendingPathComponent("../../..")
        let path = ProcessInfo.processInfo.environment["MOTO_PATH"] ?? root.appendingPathComponent("var/moto").path
        let process = try ChildProcess(
            "/usr/bin/env", ["python3", support.appendingPathComponent("../Support/moto_pool.py").path],
            environment: ["PYTHONPATH": path], takesInput: true)
        let line = try await poll(within: .seconds(300)) { () throws -> String? in
            if process.exitCode != nil {
                throw HarnessError(
                    "moto didn't start from \(path): 'make test' takes it from PyPI; MOTO_PATH names another folder.\n"
                        + process.errors)
            }
            return process.lines.first
        }
        made = try JSON(parsing: line)
        self.process = process
        guard let port = made["port"]?.integer else { throw HarnessError("moto names no port: \(line)") }
        endpoint = "http://127.0.0.1:\(port)"
        appSecret = made["totp"]?.string ?? ""
    }

    func pool(_ name: String) throws -> Pool {
        guard let pool = made[name], let id = pool["pool"]?.string, let client = pool["client"]?.string else {
            throw HarnessError("moto has no pool \(name)")
        }
        return Pool(id: id, client: client, secret: pool["secret"]?.string)
    }

    /// The current code of an app with this secret.
    func code(of secret: String) async throws -> String {
        try await asking.hold { try await ask(secret) }
    }

    /// One request at a time, because answers have the order of the questions.
    private func ask(_ secret: String) async throws -> String {
        let count = process.lines.count
        process.write("\(secret)\n".utf8)
        return try await poll { () throws -> String? in
            if process.exitCode != nil { throw HarnessError("moto's process has ended: \(process.errors)") }
            let lines = process.lines
            return lines.count > count ? try JSON(parsing: lines[count])["code"]?.string : nil
        }
    }
}
