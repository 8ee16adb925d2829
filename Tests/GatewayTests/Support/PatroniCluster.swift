import Foundation
import TestSupport

/// A PostgreSQL primary with two replicas under Patroni and etcd, made by `deploy/patroni/cluster.sh`.
struct PatroniCluster: Sendable {
    private let folder: String

    private static let script = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../deploy/patroni/cluster.sh").standardized.path

    private init(folder: String) {
        self.folder = folder
    }

    /// Starts it on free ports, below those that the kernel assigns to connections.
    ///
    /// It ends with the tests, even after a crash.
    ///
    /// - Throws: ``HarnessError`` with the script's message, which names missing Debian packages.
    fileprivate static func start() async throws -> PatroniCluster {
        let cluster = PatroniCluster(folder: "/tmp/pgpatroni_\(Fresh.text())")
        for triesLeft in (0..<5).reversed() {
            let port = Int.random(in: 1_250..<2_000) * 16
            do {
                try await cluster.run(
                    "start", "--port", "\(port)", "--rest-port", "\(port + 4)", "--etcd-port", "\(port + 8)",
                    "--with", "\(ProcessInfo.processInfo.processIdentifier)")
                return cluster
            } catch {
                try await cluster.stop()
                guard "\(error)".contains(" is held by "), triesLeft > 0 else { throw error }
            }
        }
        throw HarnessError("Five times the ports for a cluster were taken.")
    }

    /// Runs a command of the script; returns its first line of output.
    @discardableResult
    func run(_ words: String...) async throws -> String {
        var environment: [String] = []
        if let programs = ProcessInfo.processInfo.environment["PG_BIN"] { environment = ["PG_BIN=\(programs)"] }
        let output = try await ChildProcess.run(environment + [Self.script] + words + ["--folder", folder])
        return String(decoding: output, as: UTF8.self).split(separator: "\n").first.map(String.init) ?? ""
    }

    /// Names every member; libpq selects the one that accepts changes.
    func url(_ role: String) async throws -> String {
        try await run("url", "--role", role) + "&connect_timeout=10"
    }

    /// Ends it, and fails if a process remains.
    fileprivate func stop() async throws {
        try await run("stop")
        do {
            try await poll(within: .seconds(20)) { processes().isEmpty ? () : nil }
        } catch {
            throw HarnessError("These are left of the cluster in \(folder): \(processes())")
        }
    }

    /// The processes with the folder in their command or as working folder.
    private func processes() -> [String] {
        let numbers = ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).filter { Int($0) != nil }
        return numbers.compactMap { number in
            let command = FileManager.default.contents(atPath: "/proc/\(number)/cmdline") ?? Data()
            let words = String(decoding: command, as: UTF8.self).replacing("\0", with: " ")
            let place = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(number)/cwd")
            let belongs = words.contains(folder + "/") || place?.hasPrefix(folder + "/") == true
            return belongs ? "\(number) \(words)" : nil
        }
    }
}

/// Runs `body` with its own cluster, and ends the cluster afterwards.
func withPatroniCluster(_ body: (PatroniCluster) async throws -> Void) async throws {
    let cluster = try await PatroniCluster.start()
    do {
        try await body(cluster)
    } catch {
        try? await cluster.stop()
        throw error
    }
    try await cluster.stop()
}
