package import JSON
package import Vocabulary

extension ClientAttribute {
    /// The maximum bytes of a text.
    private static let longest = 2_048

    /// Returns the reason to refuse the attribute as a side sent it; nil for a valid or optional one.
    fileprivate func fault(in sent: JSONObject, by side: Writer, isComplete: Bool) -> FieldFault? {
        guard let value = sent[name] else { return isRequired && isComplete ? .required : nil }
        guard admits(side) else { return .notWritable }
        if value.isNull { return isRequired && isComplete ? .required : nil }
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

extension ClientAttribute {
    /// The names in an account of a client's attributes, by their own names.
    package static func keys(of client: String, _ json: JSON) -> [String: String] {
        let owned = [ClientAttribute](json).map { ($0.name, $0.owned(by: client, in: .none).key) }
        return Dictionary(owned) { first, _ in first }
    }
}

extension [ClientAttribute] {
    /// Those that users write: a sign-up asks for them.
    package var ofUsers: [ClientAttribute] { filter { $0.admits(.user) } }

    /// Checks the attributes that a side sent and returns those with a value.
    ///
    /// - Parameter isComplete: whether every required attribute must be present.
    /// - Throws: `attributesInvalid` with every fault.
    package func checked(
        _ sent: JSONObject, by side: ClientAttribute.Writer, isComplete: Bool
    ) throws(Rejection) -> JSONObject {
        let unknown = FieldFault.unknown.accepting(filter { $0.admits(side) }.map(\.name))
        var faults = sent.members.filter { member in !contains { $0.name == member.name } }
            .map { AttributeFault($0.name, unknown) }
        var kept = JSONObject()
        for attribute in self {
            if let fault = attribute.fault(in: sent, by: side, isComplete: isComplete) {
                faults.append(AttributeFault(attribute.name, fault))
            } else if let value = sent[attribute.name], !value.isNull {
                kept[attribute.name] = value
            }
        }
        guard faults.isEmpty else { throw .attributesInvalid(faults) }
        return kept
    }

    /// Checks the changes of attributes by a side; null removes an optional one.
    ///
    /// - Throws: `attributesInvalid` with every fault.
    package func changes(_ sent: JSONObject, by side: ClientAttribute.Writer) throws(Rejection) -> JSONObject {
        let removed = filter { sent[$0.name]?.isNull == true }
        var faults = removed.filter(\.isRequired).map { AttributeFault($0.name, .required) }
        var changes = JSONObject()
        do throws(Rejection) {
            changes = try checked(sent, by: side, isComplete: false)
        } catch .attributesInvalid(let others) {
            faults += others
        }
        guard faults.isEmpty else { throw .attributesInvalid(faults) }
        for attribute in removed { changes[attribute.name] = .null }
        return changes
    }

    /// The values by the names of the account.
    package func stored(_ values: JSONObject) -> JSONObject {
        reduce(into: JSONObject()) { stored, attribute in stored[attribute.key] = values[attribute.name] }
    }

    /// The values of these attributes in an account, by their own names.
    package func shown(_ stored: JSONObject) -> JSONObject {
        reduce(into: JSONObject()) { shown, attribute in shown[attribute.name] = stored[attribute.key] }
    }

    /// The name of an attribute's value in the account; an undeclared one is that of a provider's facts.
    package func key(of name: String) -> String { first { $0.name == name }?.key ?? name }

    package var json: JSON { .array(map(\.json)) }

    init(_ json: JSON) {
        self = (json.array ?? []).compactMap(ClientAttribute.init)
    }
}
