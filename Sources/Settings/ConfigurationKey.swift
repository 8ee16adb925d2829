/// The declaration of one setting: its name, type, default, whether it is a secret, its text and its example.
///
/// All other uses follow from these declarations: reading, the check for misspelt keys, `docs/configuration.md` and
/// `.env.example`. So do the example values that production refuses.
package struct ConfigurationKey: Sendable, Equatable {
    /// The type of a value.
    package enum Kind: String, Sendable {
        case text
        case number
        case flag = "true or false"
        case list = "list, comma between"
        case choice
        case url = "URL"
        case file
    }

    /// A table of the reference and a section of the example file; its declarations stand together.
    package struct Group: Sendable, Equatable {
        /// The heading in both files.
        package let title: String
        /// The example file's addition to the heading.
        package let note: String?

        package init(_ title: String, _ note: String? = nil) {
            (self.title, self.note) = (title, note)
        }
    }

    /// The setting's line in the example file.
    package enum Example: Sendable, Equatable {
        /// The default; without one, the name alone behind a `#`.
        case standard
        /// Sets this value.
        case set(String)
        /// Sets this made-up value, which production refuses because it is public.
        case madeUp(String)
        /// The setting stays unset; the value shows its form.
        case form(String)
    }

    /// The placeholder for a provider's id in keys that exist once for each OpenID Connect provider.
    package static let idPlaceholder = "<ID>"

    package let name: String
    package let group: Group
    package let kind: Kind
    /// The default; `nil` if there is none.
    package let standard: String?
    /// The reference's text in place of `standard`, if the default depends on the machine or on another key.
    package let standardText: String?
    package let isSecret: Bool
    /// Whether the value names a file with a secret, which other users of the system must not be able to read.
    package let namesSecretFile: Bool
    /// The example: one line, or for a key with a placeholder one line for each example id.
    package let example: Example
    package let examplesByID: [String: Example]
    package let summary: String

    package init(
        _ name: String, _ group: Group, _ kind: Kind = .text, default standard: String? = nil,
        shownAs standardText: String? = nil, secret: Bool = false, namesSecretFile: Bool = false,
        example: Example = .standard, examplesByID: [String: Example] = [:], _ summary: String
    ) {
        self.name = name
        self.group = group
        self.kind = kind
        self.standard = standard
        self.standardText = standardText
        self.isSecret = secret
        self.namesSecretFile = namesSecretFile
        self.example = example
        self.examplesByID = examplesByID
        self.summary = summary
    }

    /// The key for one OpenID Connect provider: `OIDC_<ID>_ISSUER` becomes `OIDC_GOOGLE_ISSUER`.
    package func named(for id: String) -> ConfigurationKey {
        let upper = String(id.uppercased().map { $0 == "-" ? "_" : $0 })
        let parts = name.split(separator: Self.idPlaceholder, maxSplits: 1, omittingEmptySubsequences: false)
        return ConfigurationKey(
            parts.joined(separator: upper), group, kind, default: standard, shownAs: standardText, secret: isSecret,
            namesSecretFile: namesSecretFile, example: examplesByID[id] ?? .standard, summary)
    }

    /// Whether the key exists once for each OpenID Connect provider.
    package var hasPlaceholder: Bool { name.contains(Self.idPlaceholder) }

    /// Whether a name is the key's, for any provider's id.
    package func isNamed(_ name: String) -> Bool {
        guard hasPlaceholder else { return name == self.name }
        let ends = self.name.split(separator: Self.idPlaceholder, maxSplits: 1, omittingEmptySubsequences: false)
        return name.hasPrefix(ends[0]) && name.hasSuffix(ends[1])
    }

    /// The place of a relative path in a folder.
    ///
    /// An empty folder is the working folder. Other values stay.
    package func located(_ value: String, in folder: String) -> String {
        guard kind == .file, !folder.isEmpty, !value.isEmpty, !value.hasPrefix("/") else { return value }
        return "\(folder)/\(value)"
    }
}
