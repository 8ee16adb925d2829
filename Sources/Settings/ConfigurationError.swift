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
        return (["The configuration has \(count) to mend:"] + complaints.map { "  \($0)" }).joined(separator: "\n")
    }
}
