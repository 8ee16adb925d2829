/// Everything that is wrong with a configuration, at once.
///
/// A complaint names the key and what was expected; the value of a secret never appears.
package struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
    /// One thing to mend.
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
        return (["The configuration has \(count) to mend:"] + complaints.map { "  \($0)" }).joined(separator: "\n")
    }
}
