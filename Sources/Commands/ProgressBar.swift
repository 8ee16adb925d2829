import Foundation
import Glibc

/// A progress bar on standard error; silent unless that is a terminal.
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
        // Overwrites the line and clears the rest of it.
        write("\r\(ImportProgress.bar(percent)) \(percent) %  \(done) \(unit)\u{1B}[K")
        isDrawn = true
    }

    /// Ends the line of the bar.
    mutating func end() {
        if isDrawn { write("\n") }
        isDrawn = false
    }

    private func write(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
