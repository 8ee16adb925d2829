import Foundation
import JSON
import TestSupport
import Testing

@Suite("Deployment files")
struct DeployFileTests {
    private static func lines(_ path: String) throws -> [String] {
        try String(contentsOf: Configurations.root.appending(path: path), encoding: .utf8)
            .split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    @Test("the unit is in production, with any environment file")
    func unitEnvironment() throws {
        let unit = try Self.lines("deploy/systemd/gateway.service")
        // There is no earlier one, because systemd applies RestartPreventExitStatus= to ExecStart= only.
        let starts = unit.filter { $0.hasPrefix("ExecStart") }
        #expect(starts.count == 1)
        #expect(starts.allSatisfy { $0.hasPrefix("ExecStart=/usr/bin/env ENVIRONMENT=production LOG_FORMAT=json ") })
    }

    @Test("the unit retries while the database is unavailable, but not with a wrong configuration")
    func unitRestarts() throws {
        let unit = try Self.lines("deploy/systemd/gateway.service")
        for line in ["StartLimitIntervalSec=0", "Restart=on-failure", "RestartSec=2", "RestartPreventExitStatus=78"] {
            #expect(unit.contains(line), "\(line)")
        }
    }

    @Test("the containers are in production, with any environment file")
    func containers() throws {
        let compose = try Self.lines("deploy/compose.yaml")
        let files = compose.count { $0 == "env_file: [gateway.env]" }
        #expect(files > 0 && compose.count { $0 == "ENVIRONMENT: production" } == files)
    }

    @Test("the deployment's environment files stay out of the repository")
    func environmentFiles() throws {
        let ignored = try Self.lines(".gitignore")
        #expect(ignored.contains("/deploy/*.env"))
        let compose = try Self.lines("deploy/compose.yaml")
        #expect(compose.contains { $0.contains("install -m 600 ../.env.example gateway.env") })
    }

    @Test("the image's builder makes a folder for each target outside Sources")
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
        // Transcripts are data of the client libraries' tests, and no target.
        #expect(made == there.subtracting(["Transcripts"]))
        for name in made.map({ "Tests/\($0)" }) {
            let file = folder.appending(path: "\(name)/Empty.swift")
            #expect(FileManager.default.fileExists(atPath: file.path), "\(name)")
        }
    }

    @Test("the image's builder gets every file that it copies, and no other")
    func builderFiles() throws {
        let given = try Self.lines(".dockerignore").filter { $0.hasPrefix("!") }.map { String($0.dropFirst()) }
        let copies = try Self.lines("deploy/Dockerfile").filter {
            $0.hasPrefix("COPY ") && !$0.hasPrefix("COPY --from=")
        }
        let copied = copies.flatMap { $0.split(separator: " ").dropFirst().dropLast().map(String.init) }
        #expect(Set(given).isSubset(of: copied))
        for path in copied {
            #expect(given.contains { path == $0 || path.hasPrefix("\($0)/") }, "\(path)")
        }
    }

    @Test("servers get the gateway alone: the provider simulator is in no image, unit or release")
    func noSimulator() throws {
        let image = try Self.lines("deploy/Dockerfile")
        let builds = image.filter { $0.contains("swift build ") }
        #expect(builds.count == 1 && builds.allSatisfy { $0.contains(" --product gateway ") })
        let copies = image.filter { $0.hasPrefix("COPY --from=build ") }
        #expect(copies == ["COPY --from=build /package/*.deb /tmp/login-gateway.deb"])
        for path in ["deploy/Dockerfile", "deploy/compose.yaml", "deploy/systemd/gateway.service"] {
            #expect(try !Pages.text(path).localizedCaseInsensitiveContains("simulator"), "\(path)")
        }
        for script in ["scripts/build.sh", "scripts/deb.sh"] {
            let release = try Self.lines(script).filter { $0.hasPrefix("build_release") }
            #expect(release == ["build_release gateway"], "\(script)")
        }
    }

    @Test("F12: every Swift package has an exact version, equal to the built one")
    func exactVersions() throws {
        let manifest = try Self.lines("Package.swift").joined()
        #expect(!manifest.contains(", from: \"") && !manifest.contains("branch:") && !manifest.contains("upToNext"))
        let exact = manifest.matches(of: #/url: "([^"]+)", exact: "([^"]+)"/#)
        #expect(exact.count == manifest.matches(of: #/\.package\(url:/#).count && !exact.isEmpty)
        let resolved = try JSON(parsing: try Self.lines("Package.resolved").joined())["pins"]?.array ?? []
        for dependency in exact {
            let pin = resolved.first { $0["location"]?.string == String(dependency.1) }
            #expect(pin?["state"]?["version"]?.string == String(dependency.2), "\(dependency.1)")
        }
    }

    @Test("3-F12: a package that resolves to another version than the reviewed one stops the build, and is named")
    func reviewedVersions() async throws {
        let folder = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for name in ["Package.swift", "Package.versions", "Package.resolved"] {
            let text = try String(contentsOf: Configurations.root.appending(path: name), encoding: .utf8)
            try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
        }
        let script = Configurations.root.appending(path: "scripts/package-versions.sh").path
        try await ChildProcess.run(["bash", script, folder])
        // Of the packages that no line of the manifest fixes.
        let resolved = try String(contentsOfFile: "\(folder)/Package.resolved", encoding: .utf8)
        let version = try #require(
            resolved.firstMatch(
                of: #/swift-asn1\.git",\s+"state" : \{\s+"revision" : "[0-9a-f]+",\s+"version" : "([^"]+)"/#)?.1)
        try resolved.replacing("\"version\" : \"\(version)\"", with: "\"version\" : \"99.0.0\"")
            .write(toFile: "\(folder)/Package.resolved", atomically: true, encoding: .utf8)
        let check = try ChildProcess("/usr/bin/bash", [script, folder], environment: [:], folder: folder)
        #expect(await check.waitForExit(within: .seconds(60)) == 1)
        #expect(check.errors.contains("> https://github.com/apple/swift-asn1.git 99.0.0"), "\(check.errors)")
    }

    @Test("F12: each image can be set by its digest")
    func images() throws {
        let file = try Self.lines("deploy/Dockerfile")
        let images = file.filter { $0.hasPrefix("FROM ") }
        #expect(images == ["FROM ${BUILD_IMAGE} AS build", "FROM ${RUNTIME_IMAGE}"])
        #expect(
            file.contains { $0.hasPrefix("ARG BUILD_IMAGE=") } && file.contains { $0.hasPrefix("ARG RUNTIME_IMAGE=") })
        let compose = try Self.lines("deploy/compose.yaml").filter {
            $0.hasPrefix("image: ") && $0 != "image: login-gateway"
        }
        #expect(!compose.isEmpty && compose.allSatisfy { $0.hasPrefix("image: ${") })
    }

    @Test("F12: the list of parts names every Swift package and the libraries that the program loads")
    func parts() async throws {
        let folder = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let script = Configurations.root.appending(path: "scripts/sbom.sh").path
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let program = URL(filePath: tests).deletingLastPathComponent().appending(path: "gateway").path
        try await ChildProcess.run(["bash", script, "\(folder)/parts.json", program])
        let parts = try JSON(
            parsing: Array(try Data(contentsOf: URL(filePath: "\(folder)/parts.json"))), limits: .provider)
        #expect(parts["bomFormat"] == "CycloneDX" && parts["specVersion"] == "1.6")
        let names = Set((parts["components"]?.array ?? []).compactMap { $0["purl"]?.string?.prefix { $0 != "@" } })
        for pin in try JSON(parsing: try Self.lines("Package.resolved").joined())["pins"]?.array ?? [] {
            let place = try #require(pin["location"]?.string).dropFirst("https://".count).dropLast(".git".count)
            #expect(names.contains("pkg:swift/\(place)"), "\(place)")
        }
        #expect(names.contains { $0.hasPrefix("pkg:deb/") && $0.contains("/libpq5") })
        #expect(names.contains { $0.hasPrefix("pkg:deb/") && $0.contains("/libssl3") })
    }

    private static func folders(_ parent: URL) throws -> Set<String> {
        let children = try FileManager.default.contentsOfDirectory(
            at: parent, includingPropertiesForKeys: [.isDirectoryKey], options: .skipsHiddenFiles)
        return Set(
            try children.filter { try $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true }
                .map(\.lastPathComponent))
    }
}
