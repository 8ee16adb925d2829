import Foundation
import Glibc
import Telemetry

/// Questions on a terminal.
enum TerminalPrompt {
    static var isAvailable: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

    /// Reads a line; nil at the end of the input.
    ///
    /// - Parameter isHidden: whether the terminal shows no input, for secrets.
    static func line(_ prompt: String, isHidden: Bool) -> String? {
        try? FileHandle.standardOutput.write(contentsOf: Data(prompt.utf8))
        guard isHidden else { return readLine() }
        var settings = termios()
        guard unsafe tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
        var silent = settings
        silent.c_lflag &= ~tcflag_t(ECHO)
        guard unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent) == 0 else { return nil }
        defer {
            unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
            Terminal.write("")
        }
        return readLine()
    }
}
