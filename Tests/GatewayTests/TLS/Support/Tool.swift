import Foundation
import TestSupport

/// A program of the system, run to its end.
struct Tool: Sendable {
    /// Nil after a forced end.
    let exitCode: Int?
    let output: String
    let errors: String

    /// - Parameters:
    ///   - words: the program and its arguments.
    ///   - input: the content of the file `input` in its working folder.
    static func run(_ words: [String], input: String = "") async throws -> Tool {
        let folder = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data(input.utf8).write(to: URL(filePath: "\(folder)/input"))
        let child = try ChildProcess("/usr/bin/env", words, environment: [:], folder: folder)
        let code = await child.waitForExit(within: .seconds(150))
        if code == nil { await child.kill9() }
        return Tool(exitCode: code, output: child.output, errors: child.errors)
    }
}

extension Tool {
    /// Requests a path from a server on this machine.
    ///
    /// - Parameters:
    ///   - certificate: the required certificate.
    ///   - arguments: further ones for curl.
    /// - Returns: the answer's head and body in `output`.
    static func curl(
        port: Int, _ path: String = "/", trusting certificate: String, _ arguments: [String] = [], input: String = ""
    ) async throws -> Tool {
        try await run(
            ["curl", "--silent", "--show-error", "--include", "--max-time", "120", "--noproxy", "*"]
                + ["--cacert", certificate] + arguments + ["https://localhost:\(port)\(path)"], input: input)
    }

    /// The status line, as `HTTP/2 200`.
    var status: String {
        let line = output.prefix { $0 != "\r\n" && $0 != "\n" }
        return line.split(separator: " ").prefix(2).joined(separator: " ")
    }

    /// The text after the head.
    var body: String {
        output.range(of: "\r\n\r\n").map { String(output[$0.upperBound...]) } ?? ""
    }

    /// The values of a header.
    func header(_ name: String) -> [String] {
        let head = output.range(of: "\r\n\r\n").map { output[..<$0.lowerBound] } ?? ""
        return head.components(separatedBy: "\r\n").compactMap { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == name.lowercased() else { return nil }
            return parts[1].trimmingCharacters(in: .whitespaces)
        }
    }
}
