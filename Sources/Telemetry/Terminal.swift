import Foundation

/// The output of commands.
package enum Terminal {
    /// To standard output.
    package static func write(_ text: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
    }

    /// To standard error.
    package static func complain(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
    }
}
