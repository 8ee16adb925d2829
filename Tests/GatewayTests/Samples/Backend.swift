import Foundation
import TestSupport
import Testing

/// A program around the code of a section of `docs/backends.md`: it prints a line for each token.
struct Backend: Sendable, CustomTestStringConvertible {
    let section: String
    /// The command that runs the program, made from the code for one issuer in a folder.
    private let command: @Sendable (_ code: [String], _ issuer: String, _ folder: String) async throws -> [String]
    private let environment: [String: String]

    var testDescription: String { section }

    /// The user's id for each token; nil where the check refuses it.
    ///
    /// - Parameter way: `offline` or `online`.
    func users(_ way: String, _ tokens: [String], issuer: String) async throws -> [String?] {
        let code = try BackendPage.code(of: section)
        guard code.count == 2 else { throw HarnessError("\(section) has \(code.count) blocks of code.") }
        let folder = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let words = try await command(code, issuer, folder) + [way] + tokens
        let child = try ChildProcess(
            "/usr/bin/env", words,
            environment: environment.merging([
                "HOME": folder, "ISSUER": issuer, "CLIENT_SECRET": Deployment.clientSecret,
            ]) { $1 })
        let status = await child.waitForExit(within: .seconds(120))
        if status == nil { await child.kill9() }
        guard status == 0, child.lines.count == tokens.count else {
            throw HarnessError("\(section) ended with \(status ?? -1): \(child.output)\(child.errors)")
        }
        return child.lines.map { $0 == "refused" ? nil : $0 }
    }

    static let all = [node, python, go]

    private static let node = Backend(
        section: "Node",
        command: { code, issuer, folder in
            let program = """
                const [way, ...tokens] = process.argv.slice(2)
                for (const token of tokens) {
                    console.log(await (way === "online" ? userIdOnline : userId)(token).catch(() => "refused"))
                }
                """
            return ["node", try write(code + [program], issuer, to: "\(folder)/backend.mjs")]
        }, environment: [:])

    private static let python = Backend(
        section: "Python",
        command: { code, issuer, folder in
            let program = """
                import sys

                for token in sys.argv[2:]:
                    try:
                        print((user_id_online if sys.argv[1] == "online" else user_id)(token))
                    except Exception:
                        print("refused")
                """
            return ["python3", try write(code + [program], issuer, to: "\(folder)/backend.py")]
        },
        environment: [
            "PYTHONPATH": ProcessInfo.processInfo.environment["PYJWT_PATH"]
                ?? Configurations.root.appending(path: "var/pyjwt").path
        ])

    /// Compiled once in a run of the tests: its program takes the issuer from the environment.
    private static let go = Backend(
        section: "Go", command: { _, _, _ in [try await GoBackend.program.value] }, environment: [:])

    private static func write(_ parts: [String], _ issuer: String, to path: String) throws -> String {
        // A busy test machine needs longer than the page's five seconds to fetch keys.
        let text = parts.joined(separator: "\n").replacing("https://login.example.com", with: issuer)
            .replacing("timeout=5", with: "timeout=60")
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        return path
    }
}
