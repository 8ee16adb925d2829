/// Typed members of an object that someone else made.
///
/// A null counts as absent. A member of another type is an error.
extension JSONObject {
    /// The same object, which has none but these members.
    ///
    /// A misspelt optional member must not count as absent.
    package func only(_ known: [String]) throws(MemberError) -> JSONObject {
        for member in members where !known.contains(member.name) {
            throw MemberError(member.name, reason: .unknown(known: known))
        }
        return self
    }

    /// A text of at most `most` bytes.
    package func optionalText(_ name: String, most: Int = .max) throws(MemberError) -> String? {
        guard let text = try member(name, .text, { $0.string }) else { return nil }
        guard text.utf8.count <= most else { throw MemberError(name, reason: .tooLong) }
        return text
    }

    /// A text of at most `most` bytes, at least one.
    package func requiredText(_ name: String, most: Int = .max) throws(MemberError) -> String {
        guard let text = try optionalText(name, most: most), !text.isEmpty else {
            throw MemberError(name, reason: .missing)
        }
        return text
    }

    package func optionalBool(_ name: String) throws(MemberError) -> Bool? {
        try member(name, .bool) { $0.bool }
    }

    package func optionalArray(_ name: String) throws(MemberError) -> [JSON]? {
        try member(name, .array) { $0.array }
    }

    package func optionalObject(_ name: String) throws(MemberError) -> JSONObject? {
        try member(name, .object) { $0.object }
    }

    package func requiredObject(_ name: String) throws(MemberError) -> JSONObject {
        guard let object = try optionalObject(name) else { throw MemberError(name, reason: .missing) }
        return object
    }

    /// An object that contains only texts, by name.
    package func optionalTexts(_ name: String) throws(MemberError) -> [String: String]? {
        guard let object = try optionalObject(name) else { return nil }
        var texts: [String: String] = [:]
        for member in object.members {
            guard let text = member.value.string else { throw MemberError(name, member.name, reason: .notA(.text)) }
            texts[member.name] = text
        }
        return texts
    }

    private func member<Value>(
        _ name: String, _ kind: MemberError.Kind, _ read: (JSON) -> Value?
    ) throws(MemberError) -> Value? {
        guard let value = self[name], !value.isNull else { return nil }
        guard let read = read(value) else { throw MemberError(name, reason: .notA(kind)) }
        return read
    }
}
