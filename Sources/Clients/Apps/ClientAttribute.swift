package import JSON

/// An attribute of a client's users.
package struct ClientAttribute: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        case text, number, flag
        /// A date such as `2001-12-31`.
        case date
    }

    /// The side that may write an attribute.
    package enum Writer: String, Sendable, CaseIterable {
        case user
        case backEnd = "back_end"
        case both
    }

    package let name: String
    package let kind: Kind
    package let isRequired: Bool
    /// As declared; nil for the default of the app's protocol: ``writer``.
    package let writableBy: Writer?
    /// Whether its value belongs to every app that declares the name as shared.
    package let isShared: Bool
    /// The name of its value in the account: an unshared attribute has a value for each app.
    package private(set) var key: String
    package private(set) var writer: Writer

    package init(
        name: String, kind: Kind, isRequired: Bool, writableBy: Writer? = nil, isShared: Bool = false
    ) {
        (self.name, self.kind, self.isRequired) = (name, kind, isRequired)
        (self.writableBy, self.isShared) = (writableBy, isShared)
        (key, writer) = (name, writableBy ?? .both)
    }

    /// The same as an attribute of one client.
    ///
    /// A user pool lets users write its custom attributes only if the app says so. A sign-up needs required ones.
    func owned(by client: String, in dialects: ClientDialects) -> ClientAttribute {
        var owned = self
        if !isShared { owned.key = "\(client)/\(name)" }
        let isOfPool = dialects.cognito != nil && CognitoAttributes.isCustom(name) && !isRequired
        owned.writer = writableBy ?? (isOfPool ? .backEnd : .both)
        return owned
    }

    /// Whether a side may write it.
    package func admits(_ side: Writer) -> Bool { writer == .both || writer == side }

    // MARK: Forms

    /// Parses the configuration form: `name`, then in any order a kind, a writer and `shared`, each after a colon; with
    /// an exclamation mark if it is required.
    package init?(_ text: String) {
        let isRequired = text.hasSuffix("!")
        let parts = (isRequired ? text.dropLast() : text[...]).split(separator: ":", omittingEmptySubsequences: false)
            .map(String.init)
        let options = parts.dropFirst()
        let kinds = options.compactMap(Kind.init(rawValue:))
        let writers = options.compactMap(Writer.init(rawValue:))
        let shared = options.filter { $0 == Self.shared }
        guard let name = parts.first, kinds.count <= 1, writers.count <= 1, shared.count <= 1,
            kinds.count + writers.count + shared.count == options.count
        else { return nil }
        self.init(
            checking: name, kinds.first ?? .text, isRequired: isRequired, writers.first, isShared: !shared.isEmpty)
    }

    /// The configuration form.
    package var text: String {
        ([name, kind.rawValue] + (writableBy.map { [$0.rawValue] } ?? []) + (isShared ? [Self.shared] : []))
            .joined(separator: ":") + (isRequired ? "!" : "")
    }

    /// Parses the form of the database and the API: `name`, and optionally `kind` (default text), `required` (default
    /// false), `writable_by` (null for the default) and `shared` (default false).
    ///
    /// Nil for an invalid or unknown member.
    package init?(_ json: JSON) {
        guard let members = json.object, members.members.allSatisfy({ Self.members.contains($0.name) }),
            let name = members["name"]?.string,
            let kind = (members["kind"] ?? .string(Kind.text.rawValue)).string.flatMap(Kind.init(rawValue:)),
            let isRequired = (members["required"] ?? false).bool, let isShared = (members[Self.shared] ?? false).bool
        else { return nil }
        let declared = members["writable_by"] ?? .null
        let writer = declared.string.flatMap(Writer.init(rawValue:))
        guard declared.isNull || writer != nil else { return nil }
        self.init(checking: name, kind, isRequired: isRequired, writer, isShared: isShared)
    }

    /// A required attribute comes from the user at sign-up.
    private init?(checking name: String, _ kind: Kind, isRequired: Bool, _ writer: Writer?, isShared: Bool) {
        guard Self.isName(name), !isRequired || writer != .backEnd else { return nil }
        self.init(name: name, kind: kind, isRequired: isRequired, writableBy: writer, isShared: isShared)
    }

    package var json: JSON {
        [
            "name": .string(name), "kind": .string(kind.rawValue), "required": .bool(isRequired),
            "writable_by": writableBy.map { .string($0.rawValue) } ?? .null, "shared": .bool(isShared),
        ]
    }

    private static let shared = "shared"
    package static let members = ["name", "kind", "required", "writable_by", shared]

    /// Allows up to 64 lower-case letters, digits and underscores, a letter first, because it may become a claim name.
    private static func isName(_ text: String) -> Bool {
        guard (1...64).contains(text.utf8.count), let first = text.utf8.first, (0x61...0x7A).contains(first) else {
            return false
        }
        return text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
            && ClaimName.isFree(text)
    }
}
