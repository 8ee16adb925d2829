import Accounts
import Foundation
import Glibc
import Telemetry

/// Shows the progress of an import on standard error: a bar on a terminal, a line now and then elsewhere.
struct ImportProgress {
    private static let barWidth = 24
    private let fileSize: Int?
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let clock = ContinuousClock()
    private let began: ContinuousClock.Instant
    private var shown: ContinuousClock.Instant?
    /// The position at the start of this process.
    ///
    /// Earlier lines don't count for the speed.
    private var firstBytes: Int?
    private var firstLines = 0
    private var isDrawn = false

    /// Without a file size (standard input), shows counts only.
    init(fileSize: Int?) {
        self.fileSize = fileSize
        began = clock.now
    }

    mutating func show(_ position: ImportPosition, bytes: Int, _ summary: ImportSummary) {
        if firstBytes == nil { (firstBytes, firstLines) = (bytes, position.lines) }
        let isDone = bytes == fileSize
        let pause: Duration = isTerminal ? .milliseconds(100) : .seconds(5)
        guard isDone || shown.map({ clock.now - $0 >= pause }) ?? true else { return }
        shown = clock.now
        let counts = "\(position.lines) lines, \(summary.accounts) accounts, \(summary.refusedLines) skipped"
        guard isTerminal else { return Terminal.complain(part(bytes).map { "\($0) %, \(counts)" } ?? counts) }
        let text = part(bytes).map { "\(Self.bar($0)) \($0) %  \(counts)\(speed(position, bytes))" } ?? counts
        // Overwrites the line and clears the rest of it.
        write("\r\(text)\u{1B}[K")
        isDrawn = true
    }

    /// Ends the line of the bar.
    mutating func end() {
        if isDrawn { write("\n") }
        isDrawn = false
    }

    private func part(_ bytes: Int) -> Int? {
        fileSize.map { $0 == 0 ? 100 : min(100, bytes * 100 / $0) }
    }

    static func bar(_ percent: Int) -> String {
        let full = barWidth * percent / 100
        return "[" + String(repeating: "#", count: full) + String(repeating: ".", count: barWidth - full) + "]"
    }

    private func speed(_ position: ImportPosition, _ bytes: Int) -> String {
        let seconds = (clock.now - began) / .seconds(1)
        let read = bytes - (firstBytes ?? 0)
        guard let fileSize, seconds > 1, read > 0 else { return "" }
        let left = Int(Double(fileSize - bytes) * seconds / Double(read))
        return "  \(Int(Double(position.lines - firstLines) / seconds))/s  \(left) s left"
    }

    private func write(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
