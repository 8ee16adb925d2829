import Configuration
import Cryptography

/// Reads keys one by one and keeps every complaint, so that an operator mends a configuration in one round.
///
/// A method that complains returns a harmless stand-in; the stand-ins are never used, because ``GatewayConfiguration``
/// refuses to come into being while there is a complaint.
struct SettingsReader {
    /// What a secret reads before somebody, or `make run`, has put a real one in its place.
    static let placeholder = "generate-me"

    /// A key that was read, for the summary; `shown` never holds a secret.
    struct Reading: Sendable, Equatable {
        let key: ConfigurationKey
        let shown: String
        let isSet: Bool
    }

    private let reader: ConfigReader
    private(set) var complaints: [ConfigurationError.Complaint] = []
    private(set) var readings: [Reading] = []

    init(_ reader: ConfigReader) {
        self.reader = reader
    }

    /// Keeps one complaint about a key.
    mutating func complain(_ key: ConfigurationKey, _ text: String) {
        complaints.append(.init(key: key.name, text: text))
    }

    /// The value as it stands, or `nil` when the key is unset; an empty value is given back as empty.
    mutating func raw(_ key: ConfigurationKey) -> String? {
        let value = reader.string(forKey: ConfigKey([key.name]), isSecret: key.isSecret)
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

    /// The value of a key that was read before, without saying or noting anything again; `nil` when it was refused.
    func wellFormed(_ key: ConfigurationKey) -> String? {
        guard let value = reader.string(forKey: ConfigKey([key.name]), isSecret: key.isSecret),
            !value.utf8.elementsEqual(Self.placeholder.utf8), ValueShape.fault(of: value) == nil
        else { return nil }
        return value
    }

    /// The value, or its default; an empty value counts as unset.
    mutating func text(_ key: ConfigurationKey) -> String? {
        guard let value = raw(key), !value.isEmpty else { return key.standard }
        return value
    }

    /// The value of a key that has to be there.
    mutating func required(_ key: ConfigurationKey) -> String {
        let before = complaints.count
        if let value = text(key) { return value }
        if complaints.count == before { complain(key, "is missing") }
        return ""
    }

    /// A secret, wrapped before anybody else sees it.
    mutating func secret(_ key: ConfigurationKey) -> Secret? {
        text(key).map { Secret($0) }
    }

    /// A whole number within bounds.
    mutating func number(_ key: ConfigurationKey, in range: ClosedRange<Int>, else fallback: Int = 0) -> Int {
        guard let value = text(key) else { return fallback }
        guard let number = Int(value), range.contains(number) else {
            complain(key, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
            return range.lowerBound
        }
        return number
    }

    /// `true` or `false`, in those words.
    mutating func flag(_ key: ConfigurationKey) -> Bool {
        switch text(key) {
        case "true": return true
        case "false", nil: return false
        default:
            complain(key, "must be true or false")
            return false
        }
    }

    /// One of the cases of an enumeration.
    mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ key: ConfigurationKey, else fallback: Choice
    ) -> Choice {
        guard let value = text(key) else { return fallback }
        if let choice = Choice(rawValue: value) { return choice }
        let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        complain(key, "must be one of: \(words)")
        return fallback
    }

    /// A list with commas between its entries; `nil` when unset.
    ///
    /// A list that is there but empty is a complaint (J-05).
    mutating func list(_ key: ConfigurationKey) -> [String]? {
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
                isSet ? value ?? "" : key.standard ?? key.standardText ?? "not set"
            }
        readings.append(Reading(key: key, shown: shown, isSet: isSet))
    }
}
