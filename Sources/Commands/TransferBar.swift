import Accounts
import Foundation
import Glibc
import Telemetry

/// Progress of a transfer on standard error: a bar on a terminal, occasional lines elsewhere.
///
/// Shows no personal data.
struct TransferBar {
    private static let width = 24
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let clock = ContinuousClock()
    private var shown: ContinuousClock.Instant?
    private var isDrawn = false

    mutating func show(_ state: TransferProgress) {
        let pause: Duration = isTerminal ? .milliseconds(100) : .seconds(5)
        guard state.done >= state.total || shown.map({ clock.now - $0 >= pause }) ?? true else { return }
        shown = clock.now
        let percent = state.total == 0 ? 100 : min(100, state.done * 100 / state.total)
        guard isTerminal else { return Terminal.complain("\(percent) %, \(Self.text(state))") }
        let full = Self.width * percent / 100
        let bar = String(repeating: "#", count: full) + String(repeating: ".", count: Self.width - full)
        let text = "\r[\(bar)] \(percent) %  \(Self.text(state))\u{1B}[K"
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
        isDrawn = true
    }

    /// Ends the line of the bar.
    mutating func end() {
        if isDrawn { Terminal.complain("") }
        isDrawn = false
    }

    /// Counts by outcome.
    static func text(_ state: TransferProgress) -> String {
        let parts = state.outcomes.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        return (["\(state.done) identities"] + parts).joined(separator: ", ")
    }
}
