package import JSON

/// An attribute that a client requests at sign-up.
package struct ClientAttribute: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        case text, number, flag
        /// A date such as `2001-12-31`.
        case date
    }

    package let name: String
    package let kind: Kind
    package let isRequired: Bool

    package init(name: String, kind: Kind, isRequired: Bool) {
        (self.name, self.kind, self.isRequired) = (name, kind, isRequired)
    }

    /// Parses the configuration form: `name` or `name:kind`, with an exclamation mark if it is required.
    package init?(_ text: String) {
        let isRequired = text.hasSuffix("!")
        let parts = (isRequired ? text.dropLast() : text[...]).split(separator: ":", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let name = parts.first, Self.isName(name) else { return nil }
        guard let kind = parts.count == 2 ? Kind(rawValue: String(parts[1])) : .text else { return nil }
        self.init(name: String(name), kind: kind, isRequired: isRequired)
    }

    /// Parses the form of the database and the API: `name`, and optionally `kind` (default text) and `required` (default
    /// false).
    ///
    /// Nil for an invalid or unknown member.
    package init?(_ json: JSON) {
        guard let members = json.object, members.members.allSatisfy({ Self.members.contains($0.name) }),
            let name = members["name"]?.string, Self.isName(name[...]),
            let kind = (members["kind"] ?? .string(Kind.text.rawValue)).string.flatMap(Kind.init(rawValue:)),
            let isRequired = (members["required"] ?? false).bool
        else { return nil }
        self.init(name: name, kind: kind, isRequired: isRequired)
    }

    package static let members: Set<String> = ["name", "kind", "required"]

    /// Allows up to 64 lower-case letters, digits and underscores, a letter first, because it may become a claim name.
    private static func isName(_ text: Substring) -> Bool {
        guard (1...64).contains(text.utf8.count), let first = text.utf8.first, (0x61...0x7A).contains(first) else {
            return false
        }
        return text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
    }

    /// The maximum bytes of a text.
    private static let longest = 2_048

    /// Returns the reason to refuse the attribute as it was sent; nil for a valid or optional one.
    fileprivate func fault(in sent: JSONObject, isComplete: Bool) -> FieldFault? {
        guard let value = sent[name], !value.isNull else { return isRequired && isComplete ? .required : nil }
        return fault(of: value).map(FieldFault.init)
    }

    /// Returns the reason to refuse a value; nil for a valid one.
    func fault(of value: JSON) -> String? {
        switch (kind, value) {
        case (.text, .string(let text)): text.utf8.count > Self.longest ? "too_long" : nil
        case (.number, .integer), (.number, .double), (.flag, .bool): nil
        case (.date, .string(let text)): Self.isDate(text) ? nil : "not_a_date"
        case (.text, _): "must_be_text"
        case (.number, _): "must_be_number"
        case (.flag, _): "must_be_true_or_false"
        case (.date, _): "not_a_date"
        }
    }

    /// A text as a value of this kind, for dialects that send texts only; the text itself where it does not fit.
    package func value(of text: String) -> JSON {
        switch kind {
        case .text, .date: .string(text)
        case .number, .flag: (try? JSON(parsing: text)) ?? .string(text)
        }
    }

    /// Whether the text is a calendar day (RFC 3339 `full-date`).
    private static func isDate(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == 0x2D, bytes[7] == 0x2D else { return false }
        let parts = text.split(separator: "-").compactMap { $0.allSatisfy(\.isNumber) ? Int($0) : nil }
        guard parts.count == 3, (1...12).contains(parts[1]), parts[2] >= 1 else { return false }
        let isLeap = parts[0] % 4 == 0 && (parts[0] % 100 != 0 || parts[0] % 400 == 0)
        return parts[2] <= [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][parts[1] - 1]
    }
}

extension [ClientAttribute] {
    /// Checks the sent attributes and returns those to store.
    ///
    /// - Parameter isComplete: whether every required attribute must be present.
    /// - Throws: `attributesInvalid` with every fault.
    package func checked(_ sent: JSONObject, isComplete: Bool) throws(Rejection) -> JSONObject {
        var faults = sent.members.filter { member in !contains { $0.name == member.name } }
            .map { AttributeFault($0.name, .unknown) }
        var kept = JSONObject()
        for attribute in self {
            if let fault = attribute.fault(in: sent, isComplete: isComplete) {
                faults.append(AttributeFault(attribute.name, fault))
            } else if let value = sent[attribute.name], !value.isNull {
                kept[attribute.name] = value
            }
        }
        guard faults.isEmpty else { throw .attributesInvalid(faults) }
        return kept
    }

    /// Checks the changes of attributes; null removes an optional one.
    ///
    /// - Throws: `attributesInvalid` with every fault.
    func changes(_ sent: JSONObject) throws(Rejection) -> JSONObject {
        let removed = filter { sent[$0.name]?.isNull == true }
        var faults = removed.filter(\.isRequired).map { AttributeFault($0.name, .required) }
        var changes = JSONObject()
        do throws(Rejection) {
            changes = try checked(sent, isComplete: false)
        } catch .attributesInvalid(let others) {
            faults += others
        }
        guard faults.isEmpty else { throw .attributesInvalid(faults) }
        for attribute in removed { changes[attribute.name] = .null }
        return changes
    }

    package var json: JSON {
        .array(
            map { ["name": .string($0.name), "kind": .string($0.kind.rawValue), "required": .bool($0.isRequired)] })
    }

    init(_ json: JSON) {
        self = (json.array ?? []).compactMap(ClientAttribute.init)
    }
}
