import Foundation
import Settings

/// A `.env` file: `KEY=value` lines, and comments on lines of their own.
struct EnvironmentFile: Sendable, Equatable {
    /// The values by key.
    private(set) var values: [String: String] = [:]
    /// The mistakes in the file's form; ``values`` omits bad lines.
    private(set) var complaints: [ConfigurationError.Complaint] = []

    /// An absent file.
    init() {}

    /// Reads the text of a file.
    init(text: String, name: String = ".env") {
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for (index, line) in lines.enumerated() {
            read(ValueShape.trimmed(line), at: "\(name) line \(index + 1)")
        }
    }

    private mutating func read(_ line: String, at place: String) {
        guard !line.isEmpty, !line.hasPrefix("#") else { return }
        guard let equals = line.firstIndex(of: "=") else {
            return complain(place, "is neither a comment nor KEY=value")
        }
        let key = ValueShape.trimmed(line[..<equals])
        guard !key.hasPrefix("export ") else {
            return complain(place, "starts with export: write KEY=value alone")
        }
        guard Self.isKey(key) else {
            return complain(place, "has a key that isn't made of capital letters, digits and underscores")
        }
        guard values[key] == nil else { return complain(place, "gives \(key) a second time") }
        values[key] = ValueShape.trimmed(line[line.index(after: equals)...])
    }

    private mutating func complain(_ place: String, _ text: String) {
        complaints.append(.init(key: place, text: text))
    }

    private static func isKey(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard let first = bytes.first, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first) else { return false }
        return bytes.allSatisfy { byte in
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || byte == UInt8(ascii: "_")
        }
    }
}
