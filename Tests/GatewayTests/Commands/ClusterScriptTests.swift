import Foundation
import TestSupport
import Testing

/// `deploy/patroni/cluster.sh`, without a cluster.
@Suite("The script of the cluster")
struct ClusterScriptTests {
    private static let script = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../deploy/patroni/cluster.sh").standardized.path

    /// Runs the script; returns its exit code and its output.
    private static func run(_ words: String...) async throws -> (code: Int?, said: String) {
        let child = try ChildProcess("/usr/bin/env", [script] + words)
        let code = await child.waitForExit()
        if code == nil { await child.kill9() }
        return (code, child.output + child.errors)
    }

    @Test("A-24: the settings of a cluster are never executed, because root may run the script")
    func settings() async throws {
        let folder = "/tmp/pgpatroni_\(Fresh.text())"
        let marker = "\(folder)/ran"
        let owner = getuid() == 0 ? "-o postgres" : ""
        try await ChildProcess.run(["sh", "-c", "install -d -m 700 \(owner) \(folder)"])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for line in ["touch \(marker)", "port=$(touch \(marker))", "port=1;touch \(marker)", "PATH=\(folder)"] {
            try "\(line)\n".write(toFile: "\(folder)/settings", atomically: false, encoding: .utf8)
            try await ChildProcess.run(["chmod", "644", "\(folder)/settings"])
            let answer = try await Self.run("primary", "--folder", folder)
            #expect(answer.code == 1, "\(line): \(answer.said)")
            #expect(answer.said.contains("has a line that 'start' did not write"), "\(line): \(answer.said)")
            #expect(!FileManager.default.fileExists(atPath: marker), "\(line)")
        }
    }

    @Test("another user's folder is refused, and a missing one is named", .enabled(if: getuid() == 0))
    func folder() async throws {
        let folder = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let none = try await Self.run("status", "--folder", folder)
        #expect(none.code == 1)
        #expect(none.said.contains("There is no cluster in \(folder)"), "\(none.said)")
        try "port=1\n".write(toFile: "\(folder)/settings", atomically: false, encoding: .utf8)
        let foreign = try await Self.run("status", "--folder", folder)
        #expect(foreign.code == 1)
        #expect(foreign.said.contains("belongs to root"), "\(foreign.said)")
    }

    @Test(
        "wrong words are refused in a sentence",
        arguments: ["start --replicas none", "start --port", "start --with 0", "begin", "start a b"])
    func words(_ words: String) async throws {
        let child = try ChildProcess("/usr/bin/env", [Self.script] + words.split(separator: " ").map(String.init))
        #expect(await child.waitForExit() == 1)
        #expect(child.errors.hasPrefix("cluster.sh: "), "\(child.errors)")
    }
}
