import Foundation
import Glibc

/// Tells on standard error how far a command is: a bar that is drawn again on a terminal, nothing elsewhere.
struct ProgressBar {
    private let unit: String
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let clock = ContinuousClock()
    private var shown: ContinuousClock.Instant?
    private var isDrawn = false

    init(_ unit: String) {
        self.unit = unit
    }

    mutating func show(_ done: Int, of total: Int) {
        guard isTerminal, done == total || shown.map({ clock.now - $0 >= .milliseconds(100) }) ?? true else { return }
        shown = clock.now
        let percent = total == 0 ? 100 : min(100, done * 100 / total)
        // To the line's beginning, and what is left of the last text away.
        write("\r\(ImportProgress.bar(percent)) \(percent) %  \(done) \(unit)\u{1B}[K")
        isDrawn = true
    }

    /// Leaves the bar on its line.
    mutating func end() {
        if isDrawn { write("\n") }
        isDrawn = false
    }

    private func write(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
