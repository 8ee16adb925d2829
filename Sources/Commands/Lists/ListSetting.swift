import ArgumentParser
import JSON
import Settings

/// A list among the settings of an object, such as an app's redirect URIs.
struct ListSetting: Sendable {
    /// `redirect-uri` for `--redirect-uri`, `--add-redirect-uri` and `--remove-redirect-uri`.
    let option: String
    /// The member of the object: `redirect_uris`.
    let member: String
    /// The member that is the object with ``member``; nil for the app itself.
    var parent: String?
    let help: String
    /// The form of an entry, after "write"; nil where the help shows it.
    var form: String?
    /// The meaning of an empty list, if it is not "none"; a removal may not empty such a list.
    var meaningOfEmpty: String?
    /// Reads an entry.
    var entry: @Sendable (String) throws -> JSON = { .string($0) }
    /// The text that names an entry for its removal.
    var name: @Sendable (JSON) -> String = { $0.string ?? "" }
    /// The entries of the member's value.
    var entries: @Sendable (JSON) -> [JSON] = { $0.array ?? [] }
    /// The member's value for some entries.
    var value: @Sendable ([JSON]) -> JSON = { .array($0) }
}

extension ListSetting {
    /// The value with other entries; `-` stands for none.
    ///
    /// - Throws: `ValidationError` for an entry that can't be read.
    func replaced(by texts: [String]) throws -> JSON { value(try texts.filter { $0 != "-" }.map(read)) }

    /// The value with fewer and more entries.
    ///
    /// - Throws: `ValidationError` for the removal of an absent entry, or of the last one where an empty list means more.
    func edited(_ held: JSON, removing removed: [String], adding added: [String]) throws -> JSON {
        var left = entries(held)
        for text in removed {
            guard let place = left.firstIndex(where: { name($0) == text }) else {
                let hint = NearestWord.hint(text, among: left.map(name))
                throw ValidationError("--remove-\(option): the list has no \(text).\(hint)")
            }
            left.remove(at: place)
        }
        for entry in try added.map(read) where !left.contains(entry) { left.append(entry) }
        if left.isEmpty, let meaningOfEmpty {
            throw ValidationError(
                "--remove-\(option): without an entry the list means \(meaningOfEmpty). --\(option) - does that.")
        }
        return value(left)
    }

    /// The list is named, because the parser does not know where the text comes from.
    func read(_ text: String) throws -> JSON {
        do {
            return try entry(text)
        } catch let error as ValidationError {
            throw ValidationError("--\(option) \(text): \(error.message)")
        }
    }
}
