import Foundation
import TestSupport

/// The TypeScript library of `clients/typescript`, and the programs that check it.
enum TypeScript {
    static let folder = Configurations.root.appending(path: "clients/typescript")

    /// The files of tests below a folder of the library.
    static func tests(in name: String) -> [String] {
        let place = folder.appending(path: name).path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
        return names.filter { $0.hasSuffix(".test.mjs") }.sorted().map { "\(name)/\($0)" }
    }

    /// Compiles the library, once in a run of the tests.
    static func build() async throws { try await building.value }

    private static let building = Task {
        try await run(["tsc", "--project", folder.path])
        try await run(["node", folder.appending(path: "scripts/bundle.mjs").path])
    }

    /// Runs a program to its end; throws with its output unless it ends well.
    static func run(_ words: [String], environment: [String: String] = [:]) async throws {
        let child = try ChildProcess("/usr/bin/env", words, environment: environment)
        let code = await child.waitForExit(within: .seconds(300))
        if code == nil { await child.kill9() }
        guard code == 0 else {
            let end = code.map { "ended with \($0)" } ?? "didn't end in time"
            throw HarnessError("This \(end): \(words.joined(separator: " "))\n\(child.output)\n\(child.errors)")
        }
    }

    /// Runs one file of tests by Node's test runner.
    static func test(_ file: String, environment: [String: String] = [:]) async throws {
        try await build()
        try await run(["node", "--test", folder.appending(path: file).path], environment: environment)
    }
}
