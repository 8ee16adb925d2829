/// Everything that is wrong with a configuration, at once.
///
/// A complaint names the key and what was expected; the value of a secret never appears.
struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
    /// One thing to mend.
    struct Complaint: Equatable, Sendable, CustomStringConvertible {
        let key: String
        let text: String

        var description: String { "\(key): \(text)" }
    }

    let complaints: [Complaint]

    var description: String {
        let count = complaints.count == 1 ? "one thing" : "\(complaints.count) things"
        return (["The configuration has \(count) to mend:"] + complaints.map { "  \($0)" }).joined(separator: "\n")
    }
}
