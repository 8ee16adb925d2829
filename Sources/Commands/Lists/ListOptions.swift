import ArgumentParser
import JSON

/// The lists that the options of a command change.
protocol ListSettings: Sendable {
    static var lists: [ListSetting] { get }
    /// Whether the object exists, so that entries can be added and removed.
    static var areHeld: Bool { get }
}

/// The options of lists: each replaces the list; for an object that exists `--add-…` and `--remove-…` change it.
///
/// ArgumentParser finds the options of a type by reflection and decodes each by its name. Here both follow from the
/// declarations.
struct ListOptions<Lists: ListSettings>: ParsableArguments, CustomReflectable {
    private enum Change: String, CaseIterable {
        case replace = "", add = "add-", remove = "remove-"
    }

    /// The texts by the names of the options.
    private let texts: [String: [String]]

    init() { texts = [:] }

    private static var options: [(list: ListSetting, change: Change, name: String)] {
        Lists.lists.flatMap { list in
            (Lists.areHeld ? Change.allCases : [.replace]).map { (list, $0, $0.rawValue + list.option) }
        }
    }

    var customMirror: Mirror {
        Mirror(
            self,
            children: Self.options.map { list, change, name in
                let help =
                    switch change {
                    case .replace: "\(list.help) Repeatable; replaces the list; - empties it."
                    case .add: "Adds an entry to that list. Repeatable."
                    case .remove: "Removes an entry of that list. Repeatable."
                    }
                let option = Option<[String]>(
                    wrappedValue: [], name: .customLong(name), help: ArgumentHelp(stringLiteral: help))
                return (label: name, value: option)
            })
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: OptionName.self)
        var texts: [String: [String]] = [:]
        for option in Self.options {
            let key = OptionName(stringValue: option.name)
            texts[option.name] = try values.decode(Option<[String]>.self, forKey: key).wrappedValue
        }
        self.texts = texts
    }

    func validate() throws {
        for list in Lists.lists {
            _ = try list.replaced(by: given(.replace, list))
            _ = try given(.add, list).map(list.read)
            guard given(.replace, list).isEmpty || !isEdited(list) else {
                throw ValidationError("--\(list.option) replaces the list: it doesn't go with --add- or --remove-.")
            }
        }
    }

    /// The changed members, beside those of other options.
    ///
    /// - Parameter held: the object, or an empty one.
    /// - Throws: `ValidationError` for a change that doesn't fit the object.
    func members(of held: JSON, beside asked: JSONObject = [:]) throws -> JSONObject {
        var members = asked
        for list in Lists.lists {
            guard let parent = list.parent else {
                members[list.member] = try changed(list, held) ?? members[list.member]
                continue
            }
            var object = (members[parent] ?? held[parent])?.object ?? [:]
            guard let value = try changed(list, .object(object)) else { continue }
            object[list.member] = value
            members[parent] = .object(object)
        }
        return members
    }

    /// The value of a list with its changes; nil without any.
    private func changed(_ list: ListSetting, _ held: JSON) throws -> JSON? {
        let replacing = given(.replace, list)
        if !replacing.isEmpty { return try list.replaced(by: replacing) }
        guard isEdited(list) else { return nil }
        return try list.edited(
            held[list.member] ?? .null, removing: given(.remove, list), adding: given(.add, list))
    }

    private func given(_ change: Change, _ list: ListSetting) -> [String] {
        texts[change.rawValue + list.option] ?? []
    }

    private func isEdited(_ list: ListSetting) -> Bool {
        !given(.add, list).isEmpty || !given(.remove, list).isEmpty
    }
}

extension JSONObject {
    /// The members of both objects; the other object's replace those of the same name.
    func and(_ other: JSONObject) -> JSONObject { JSONObject(members + other.members) }

    /// The values that an object has for these members.
    func held(by object: JSON) -> JSONObject {
        JSONObject(members.compactMap { member in object[member.name].map { .init(name: member.name, value: $0) } })
    }
}
