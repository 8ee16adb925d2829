import Foundation
import JSON
import Synchronization

/// User pools of moto's server, a process of its own (`Support/moto_pool.py`): one for the whole run, with which it ends.
final class MotoPool: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

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
                let task = running ?? Task { try await onOwnThread { try MotoPool() } }
                running = task
                return task
            }
            return try await task.value
        }
    }

    let endpoint: String
    /// The secret of the authenticator app that `app` has.
    let appSecret: String
    private let made: JSON
    private let input: FileHandle
    private let lines: PipeLines

    /// `MOTO_PATH` names the folder; `make test` installs it where it is looked for otherwise.
    private init() throws {
        let support = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let root = support.appendingPathComponent("../../..")
        let path = ProcessInfo.processInfo.environment["MOTO_PATH"] ?? root.appendingPathComponent("var/moto").path
        let (inputPipe, outputPipe) = (Pipe(), Pipe())
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", support.appendingPathComponent("../Support/moto_pool.py").path]
        process.environment = ProcessInfo.processInfo.environment.merging(["PYTHONPATH": path]) { $1 }
        (process.standardInput, process.standardOutput) = (inputPipe, outputPipe)
        process.standardError = FileHandle.nullDevice
        try process.run()
        (input, lines) = (inputPipe.fileHandleForWriting, PipeLines(outputPipe.fileHandleForReading))
        guard let line = lines.next(), let made = try? JSON(parsing: line), let port = made["port"]?.integer else {
            throw Failure(
                description:
                    "moto didn't start from \(path): 'make test' takes it from PyPI; MOTO_PATH names another folder.")
        }
        self.made = made
        endpoint = "http://127.0.0.1:\(port)"
        appSecret = made["totp"]?.string ?? ""
    }

    func pool(_ name: String) throws -> Pool {
        guard let pool = made[name], let id = pool["pool"]?.string, let client = pool["client"]?.string else {
            throw Failure(description: "moto has no pool \(name)")
        }
        return Pool(id: id, client: client, secret: pool["secret"]?.string)
    }

    /// What an app with this secret shows now.
    func code(of secret: String) async throws -> String {
        try await onOwnThread { [input, lines] in
            try lines.exchange {
                try input.write(contentsOf: Data((secret + "\n").utf8))
            }
        }
    }
}

/// Splits what a pipe delivers into lines.
private final class PipeLines: Sendable {
    private struct State {
        let file: FileHandle
        var pending = Data()
    }

    private let state: Mutex<State>

    init(_ file: sending FileHandle) {
        state = Mutex(State(file: file))
    }

    func next() -> String? {
        state.withLock { Self.next(&$0) }
    }

    /// Asks and reads the answer before anybody else asks.
    func exchange(_ ask: () throws -> Void) throws -> String {
        try state.withLock { state in
            try ask()
            guard let line = Self.next(&state), let code = try? JSON(parsing: line)["code"]?.string else {
                throw MotoPool.Failure(description: "moto's process has ended")
            }
            return code
        }
    }

    private static func next(_ state: inout State) -> String? {
        while true {
            if let end = state.pending.firstIndex(of: 0x0A) {
                let line = String(decoding: state.pending[..<end], as: UTF8.self)
                state.pending = Data(state.pending[(end + 1)...])
                return line
            }
            let piece = state.file.availableData
            guard !piece.isEmpty else { return nil }
            state.pending += piece
        }
    }
}
