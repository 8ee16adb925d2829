import Foundation
import Glibc

/// Runs checks at the same time and prints each result in the order of the list.
///
/// A terminal shows the running check, and colours unless `NO_COLOR` is set; other outputs get plain lines.
struct CheckRun {
    let isTerminal: Bool
    let hasColour: Bool
    let write: @Sendable (String) -> Void

    /// To standard output.
    init() {
        isTerminal = isatty(STDOUT_FILENO) == 1
        hasColour = isTerminal && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
        write = { try? FileHandle.standardOutput.write(contentsOf: Data($0.utf8)) }
    }

    init(isTerminal: Bool, hasColour: Bool, write: @escaping @Sendable (String) -> Void) {
        (self.isTerminal, self.hasColour, self.write) = (isTerminal, hasColour, write)
    }

    func run(_ checks: [DeploymentCheck]) async -> CheckReport {
        await run(checks) { line in write(text(line)) }
    }

    /// The same without output, for JSON.
    static func quietly(_ checks: [DeploymentCheck]) async -> CheckReport {
        await CheckRun(isTerminal: false, hasColour: false) { _ in }.run(checks) { _ in }
    }

    private func run(_ checks: [DeploymentCheck], _ show: (CheckReport.Line) -> Void) async -> CheckReport {
        let running = checks.map { check in Task { await check.run() } }
        var report = CheckReport()
        for (check, task) in zip(checks, running) {
            if isTerminal { write("  …        \(check.name)") }
            report.add(check.name, await task.value)
            if let line = report.lines.last { show(line) }
        }
        return report
    }

    /// `ok`, the name and the text; the remedy below it.
    func text(_ line: CheckReport.Line) -> String {
        let state = line.result.state
        let word = state == .failed ? "FAILED" : state.word
        let padded = word + String(repeating: " ", count: max(0, 9 - word.count))
        let start = isTerminal ? "\r\u{1B}[K" : ""
        let coloured = hasColour ? "\u{1B}[\(Self.colour(state))m\(padded)\u{1B}[0m" : padded
        let remedy = line.result.remedy.map { "\n           \($0)" } ?? ""
        return "\(start)  \(coloured)\(line.name): \(line.result.text)\(remedy)\n"
    }

    private static func colour(_ state: DeploymentCheck.State) -> Int {
        switch state {
        case .passed: 32
        case .warning: 33
        case .failed: 31
        case .skipped: 90
        }
    }
}
