import JSON

/// An invalid member of a client's settings.
package struct MemberFault: Error, Equatable {
    /// The names that lead from the object of the settings to the member.
    package let path: [String]
    /// The reason, such as `malformed`.
    package let reason: String
    /// The members that the object accepts, for the refusal of an unknown member.
    package let accepted: [String]

    init(path: [String], reason: String, accepted: [String] = []) {
        (self.path, self.reason, self.accepted) = (path, reason, accepted)
    }

    /// The member's place in the object (RFC 6901).
    package var pointer: String { JSONPointer.text(path) }
}

/// Reads the members of an object of settings, and collects every fault.
struct MemberReader {
    private let path: [String]
    private let json: JSONObject
    private(set) var faults: [MemberFault] = []

    private static let mostEntries = 100

    /// - Parameters:
    ///   - path: the names that lead to the object.
    ///   - known: the possible members.
    init(_ json: JSONObject, at path: [String] = [], known: [String]) {
        (self.path, self.json) = (path, json)
        for member in json.members where !known.contains(member.name) {
            faults.append(MemberFault(path: path + [member.name], reason: "unknown_member", accepted: known))
        }
    }

    /// - Parameter holds: whether a text has the right form.
    mutating func required(_ name: String, _ holds: (String) -> Bool) -> String {
        if json[name]?.isNull ?? true { note(name, "required") }
        return optional(name, holds) ?? ""
    }

    /// Nil if the member is absent or null.
    mutating func optional(_ name: String, _ holds: (String) -> Bool) -> String? {
        guard let value = json[name], !value.isNull else { return nil }
        guard let text = value.string else {
            note(name, "must_be_text")
            return nil
        }
        if !holds(text) { note(name, "malformed") }
        return text
    }

    /// Empty if the member is absent.
    mutating func texts(_ name: String, _ holds: (String) -> Bool) -> [String] {
        guard let value = json[name] else { return [] }
        guard let list = value.array, list.count <= Self.mostEntries else {
            note(name, "must_be_list")
            return []
        }
        for (index, item) in list.enumerated() where !(item.string.map(holds) ?? false) {
            faults.append(MemberFault(path: path + [name, "\(index)"], reason: "malformed"))
        }
        return list.compactMap(\.string)
    }

    /// The first of the choices if the member is absent.
    mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(_ name: String, else first: Choice) -> Choice
    {
        guard let value = json[name] else { return first }
        guard let choice = value.string.flatMap(Choice.init(rawValue:)) else {
            note(name, "must_be_one_of_\(Choice.allCases.map(\.rawValue).joined(separator: "_or_"))")
            return first
        }
        return choice
    }

    /// False if the member is absent.
    mutating func flag(_ name: String, else absent: Bool = false) -> Bool {
        let value = json[name] ?? .bool(absent)
        if value.bool == nil { note(name, "must_be_boolean") }
        return value.bool ?? absent
    }

    /// The texts of an object by their names; empty if the member is absent.
    ///
    /// - Parameter holds: whether a name has the right form.
    mutating func words(_ name: String, _ holds: (String) -> Bool) -> [String: String] {
        guard let value = json[name] else { return [:] }
        guard let members = value.object?.members, members.count <= Self.mostEntries else {
            note(name, "must_be_object")
            return [:]
        }
        for member in members
        where !holds(member.name) || !(member.value.string.map { (1...200).contains($0.count) } ?? false) {
            faults.append(MemberFault(path: path + [name, member.name], reason: "malformed"))
        }
        return members.reduce(into: [:]) { $0[$1.name] = $1.value.string }
    }

    /// Nil if the member is absent.
    ///
    /// - Parameter holds: whether an object has the right form.
    mutating func object(_ name: String, _ holds: (JSON) -> Bool) -> JSON? {
        guard let value = json[name], !value.isNull else { return nil }
        if value.object == nil || !holds(value) { note(name, "malformed") }
        return value
    }

    /// Nil if the member is absent.
    mutating func number(_ name: String, in range: ClosedRange<Int>) -> Int? {
        guard let value = json[name] else { return nil }
        guard let number = value.integer, range.contains(number) else {
            note(name, "must_be_between_\(range.lowerBound)_and_\(range.upperBound)")
            return nil
        }
        return number
    }

    /// Reads each object of a list; empty if the member is absent.
    mutating func list<Entry>(_ name: String, known: [String], _ read: (inout MemberReader) -> Entry) -> [Entry] {
        guard let value = json[name] else { return [] }
        guard let list = value.array, list.count <= Self.mostEntries else {
            note(name, "must_be_list")
            return []
        }
        return list.enumerated().compactMap { index, item in
            guard let object = item.object else {
                faults.append(MemberFault(path: path + [name, "\(index)"], reason: "must_be_object"))
                return nil
            }
            var reader = MemberReader(object, at: path + [name, "\(index)"], known: known)
            let entry = read(&reader)
            faults += reader.faults
            return entry
        }
    }

    /// Refuses a member beside another one that says the same.
    mutating func exclude(_ name: String, beside other: String) {
        guard !(json[name]?.isNull ?? true), !(json[other]?.isNull ?? true) else { return }
        note(name, "beside_\(other)")
    }

    private mutating func note(_ name: String, _ reason: String) {
        faults.append(MemberFault(path: path + [name], reason: reason))
    }
}
