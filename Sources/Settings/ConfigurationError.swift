/// Every mistake of a configuration together.
///
/// A complaint names the key and the expected value. It never contains the value of a secret.
package struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
    /// One mistake to correct.
    package struct Complaint: Equatable, Sendable, CustomStringConvertible {
        package let key: String
        package let text: String

        package init(key: String, text: String) {
            (self.key, self.text) = (key, text)
        }

        package var description: String { "\(key): \(text)" }
    }

    package let complaints: [Complaint]

    package init(complaints: [Complaint]) {
        self.complaints = complaints
    }

    package var description: String {
        let count = complaints.count == 1 ? "one thing" : "\(complaints.count) things"
        return (["The configuration has \(count) to mend:"] + lines.map { "  \($0)" }).joined(separator: "\n")
    }

    private static let mostAlike = 3

    /// A line for each complaint; a text of many settings has one line, with their names.
    private var lines: [String] {
        var seen: Set<String> = []
        return complaints.flatMap { complaint -> [String] in
            let keys = complaints.filter { $0.text == complaint.text }.map(\.key)
            guard keys.count > Self.mostAlike else { return [complaint.description] }
            guard seen.insert(complaint.text).inserted else { return [] }
            return ["\(keys.joined(separator: ", ")): \(complaint.text)"]
        }
    }
}
