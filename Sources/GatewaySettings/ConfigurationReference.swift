import Settings

/// The reference of all keys as Markdown.
///
/// A test compares it with `docs/configuration.md`.
package enum ConfigurationReference {
    package static var text: String {
        ([opening] + ConfigurationKey.groups.map(section)).joined(separator: "\n")
    }

    private static let opening = """
        # Configuration

        The gateway reads the process environment first, then the `.env` file in its working folder (`--env-file` names
        another). A relative path in a file is relative to that file, and one of the environment to the working folder. A value
        is written plainly: no quotes, no comment behind it. Lists have commas between their entries.
        `gateway check-configuration` says everything that is wrong at once, never shows a secret, and exits with 78 where
        the server would refuse to start. `scripts/settings.sh` writes this page and `.env.example` from the declarations
        in the code.

        In development an `.env` or key file that others may read is warned about; in production it is refused, and so are
        plain http in `PUBLIC_URL`, mail into files, `INSECURE_ALLOW_LOCAL_PROVIDERS` and the values of `.env.example`.

        """

    private static func section(_ group: ConfigurationKey.Group, _ keys: [ConfigurationKey]) -> String {
        let rows = keys.map(row)
        return """
            ## \(group.title)

            | key | value | default | secret | meaning |
            |---|---|---|---|---|
            \(rows.joined(separator: "\n"))

            """
    }

    private static func row(_ key: ConfigurationKey) -> String {
        let standard = key.standard.map { "`\($0)`" } ?? key.standardText ?? ""
        return "| `\(key.name)` | \(key.kind.rawValue) | \(standard) | \(key.isSecret ? "yes" : "") | \(key.summary) |"
    }
}
