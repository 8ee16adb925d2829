import Foundation
import TestSupport
import Testing

@Suite("Files to deploy with")
struct DeployFileTests {
    private static func lines(_ path: String) throws -> [String] {
        try String(contentsOf: Configurations.root.appending(path: path), encoding: .utf8)
            .split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    @Test("the unit is in production whatever its environment file says")
    func unitEnvironment() throws {
        let unit = try Self.lines("deploy/systemd/gateway.service")
        // None before it: systemd looks at RestartPreventExitStatus= for ExecStart= alone.
        let starts = unit.filter { $0.hasPrefix("ExecStart") }
        #expect(starts.count == 1)
        #expect(starts.allSatisfy { $0.hasPrefix("ExecStart=/usr/bin/env ENVIRONMENT=production LOG_FORMAT=json ") })
    }

    @Test("the unit tries for as long as the database is away, and not with a wrong configuration")
    func unitRestarts() throws {
        let unit = try Self.lines("deploy/systemd/gateway.service")
        for line in ["StartLimitIntervalSec=0", "Restart=on-failure", "RestartSec=2", "RestartPreventExitStatus=78"] {
            #expect(unit.contains(line), "\(line)")
        }
    }

    @Test("the containers are in production whatever their environment file says")
    func containers() throws {
        let compose = try Self.lines("deploy/compose.yaml")
        let files = compose.count { $0 == "env_file: [gateway.env]" }
        #expect(files > 0 && compose.count { $0 == "ENVIRONMENT: production" } == files)
    }

    @Test("the environment files to deploy with stay out of the repository")
    func environmentFiles() throws {
        let ignored = try Self.lines(".gitignore")
        #expect(ignored.contains("/deploy/*.env"))
        let compose = try Self.lines("deploy/compose.yaml")
        #expect(compose.contains { $0.contains("install -m 600 ../.env.example gateway.env") })
    }

    @Test("the image's builder makes a folder for each target under Tests")
    func foldersOfTests() async throws {
        let lines = try Self.lines("deploy/Dockerfile")
        let start = try #require(lines.firstIndex { $0.hasPrefix("RUN tr ") })
        let end = try #require(lines[start...].firstIndex { !$0.hasSuffix("\\") })
        let command = lines[start...end].joined(separator: "\n").dropFirst("RUN ".count)

        let folder = URL(filePath: try makeTemporaryFolder())
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.copyItem(
            at: Configurations.root.appending(path: "Package.swift"), to: folder.appending(path: "Package.swift"))
        let shell = try ChildProcess("/bin/sh", ["-c", String(command)], folder: folder.path)
        let code = await shell.waitForExit()
        #expect(code == 0, "\(shell.errors)")

        let made = try Self.folders(folder.appending(path: "Tests"))
        let there = try Self.folders(Configurations.root.appending(path: "Tests"))
        #expect(made == there)
        for name in made {
            let file = folder.appending(path: "Tests/\(name)/Empty.swift")
            #expect(FileManager.default.fileExists(atPath: file.path), "\(name)")
        }
    }

    private static func folders(_ parent: URL) throws -> Set<String> {
        let children = try FileManager.default.contentsOfDirectory(
            at: parent, includingPropertiesForKeys: [.isDirectoryKey], options: .skipsHiddenFiles)
        return Set(
            try children.filter { try $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true }
                .map(\.lastPathComponent))
    }
}
