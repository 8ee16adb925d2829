package import Cryptography

/// Reads keys one by one and keeps every complaint, so that an administrator corrects all mistakes in one round.
///
/// A method that complains returns a harmless placeholder. The server refuses a configuration with a complaint as a
/// whole, so it never uses a placeholder.
package struct SettingsReader {
    /// The value of a secret before an administrator or `make run` replaces it.
    package static let placeholder = "generate-me"

    /// A key that was read, for the summary; `shown` never contains a secret.
    package struct Reading: Sendable, Equatable {
        package let key: ConfigurationKey
        package let shown: String
        package let isSet: Bool
    }

    private let value: (_ name: String, _ isSecret: Bool) -> String?
    private let folder: String
    package private(set) var complaints: [ConfigurationError.Complaint] = []
    package private(set) var readings: [Reading] = []

    /// - Parameters:
    ///   - folder: the folder of default paths; empty for the working folder.
    ///   - value: returns a setting by its name; the flag marks a secret.
    package init(folder: String = "", value: @escaping (_ name: String, _ isSecret: Bool) -> String?) {
        (self.folder, self.value) = (folder, value)
    }

    /// Keeps one complaint about a key.
    package mutating func complain(_ key: ConfigurationKey, _ text: String) {
        complaints.append(.init(key: key.name, text: text))
    }

    /// The unchanged value; `nil` if the key is unset, and empty for an empty value.
    package mutating func raw(_ key: ConfigurationKey) -> String? {
        let value = self.value(key.name, key.isSecret)
        note(key, value)
        guard let value, !value.isEmpty else { return value }
        if value.utf8.elementsEqual(Self.placeholder.utf8) {
            complain(key, "still reads \(Self.placeholder): put a real value there (`make run` does)")
            return nil
        }
        if let fault = ValueShape.fault(of: value) {
            complain(key, fault)
            return nil
        }
        return value
    }

    /// The value of an earlier reading, without a new complaint or note; `nil` if it was refused.
    package func wellFormed(_ key: ConfigurationKey) -> String? {
        guard let value = self.value(key.name, key.isSecret),
            !value.utf8.elementsEqual(Self.placeholder.utf8), ValueShape.fault(of: value) == nil
        else { return nil }
        return value
    }

    /// The value, or its default; an empty value counts as unset.
    package mutating func text(_ key: ConfigurationKey) -> String? {
        guard let value = raw(key), !value.isEmpty else { return standard(of: key) }
        return value
    }

    private func standard(of key: ConfigurationKey) -> String? {
        key.standard.map { key.located($0, in: folder) }
    }

    /// The value of a required key.
    ///
    /// - Parameter hint: the form of the value, for the complaint.
    package mutating func required(_ key: ConfigurationKey, hint: String? = nil) -> String {
        let before = complaints.count
        if let value = text(key) { return value }
        if complaints.count == before { complain(key, "is missing\(hint.map { ": write a value \($0)" } ?? "")") }
        return ""
    }

    /// A secret, wrapped so that logs cannot show it.
    package mutating func secret(_ key: ConfigurationKey) -> Secret? {
        text(key).map { Secret($0) }
    }

    /// An integer within bounds.
    package mutating func number(_ key: ConfigurationKey, in range: ClosedRange<Int>, else fallback: Int = 0) -> Int {
        guard let value = text(key) else { return fallback }
        guard let number = Int(value), range.contains(number) else {
            complain(key, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
            return range.lowerBound
        }
        return number
    }

    /// The word `true` or `false`.
    package mutating func flag(_ key: ConfigurationKey) -> Bool {
        switch text(key) {
        case "true": return true
        case "false", nil: return false
        default:
            complain(key, "must be true or false")
            return false
        }
    }

    /// One of the cases of an enumeration.
    package mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ key: ConfigurationKey, else fallback: Choice
    ) -> Choice {
        guard let value = text(key) else { return fallback }
        if let choice = Choice(rawValue: value) { return choice }
        let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        complain(key, "must be one of: \(words)")
        return fallback
    }

    /// A comma-separated list; `nil` if unset.
    ///
    /// An empty list is a complaint (J-05).
    package mutating func list(_ key: ConfigurationKey) -> [String]? {
        guard let value = raw(key) ?? key.standard else { return nil }
        if ValueShape.trimmed(value).isEmpty {
            complain(key, "is there but empty: name at least one, or remove the key")
            return nil
        }
        let entries = value.split(separator: ",", omittingEmptySubsequences: false).map { ValueShape.trimmed($0) }
        guard !entries.contains(where: { $0.isEmpty || !ValueShape.isPlainEntry($0) }) else {
            complain(key, "must be plain entries with commas between, without quotes, brackets or spaces")
            return nil
        }
        return entries
    }

    private mutating func note(_ key: ConfigurationKey, _ value: String?) {
        let isSet = value.map { !$0.isEmpty } ?? false
        let shown =
            if key.isSecret { isSet ? "set" : "not set" } else {
                isSet ? value ?? "" : standard(of: key) ?? key.standardText ?? "not set"
            }
        readings.append(Reading(key: key, shown: shown, isSet: isSet))
    }
}
