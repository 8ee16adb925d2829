import Clients
import OperatorAccess

/// `GET …/access-keys`, and the answer to its `POST`, which alone contains the secret of a new key.
struct AccessKeysPage: ConsolePage {
    static let template = "console_access_keys"

    let frame: ConsoleFrame?
    let client: Facts
    let keys: [AccessKeyDesk.Entry]
    /// Nil unless this answer follows the issue of a key.
    let issued: AccessKeyDesk.Issued?
    /// The key that the operator is about to revoke.
    let revoking: String?
    let mayChange: Bool
    /// Whether a key was revoked.
    let isDone: Bool
    let fields: AccessKeyFields
    let reason: String

    static func address(of client: String) -> String { ClientsPage.address(of: client, "access-keys") }

    func values(_ writer: inout ConsoleWriter) -> [String: Any] {
        var values: [String: Any] = [
            "title": writer.message("console.keys.title"), "face": writer.clientFace(client),
            "target": writer.exact(Self.address(of: client.id)), "reason": writer.exact(reason),
            "back": writer.link(ClientsPage.address(of: client.id)),
            "cancel": writer.link(Self.address(of: client.id)),
            "has_keys": !keys.isEmpty, "keys": keys.map { row($0, &writer) },
            "chosen": writer.fields([FormVerdict.once()]), "may_change": mayChange && revoking == nil,
            "is_done": isDone,
            "roles": options(AccessKeyFields.roles, fields.role, "console.role", &writer),
            "reaches": options(AccessKeyFields.reaches, fields.reach, "console.reach", &writer),
            "means": options(AccessKeyFields.means, fields.means, "console.key_means", &writer),
            "lifetimes": options(AccessKeyFields.lifetimes, fields.lifetime, "console.key_lifetime", &writer),
            "networks": writer.exact(fields.networks),
        ]
        values.set("revoking", revoking.map { writer.exact($0) })
        values.set("issued", issued.map { facts(of: $0, &writer) })
        return values
    }

    private func facts(of issued: AccessKeyDesk.Issued, _ writer: inout ConsoleWriter) -> [String: Any] {
        var facts: [String: Any] = ["id": writer.exact(issued.id)]
        facts.set("key", issued.key.map { writer.exact($0) })
        facts.set("secret", issued.signs ? issued.secret.map { writer.exact($0) } : nil)
        return facts
    }

    private func options(
        _ names: [String], _ chosen: String, _ words: String, _ writer: inout ConsoleWriter
    ) -> [[String: Any]] {
        names.map { name in
            ["name": name, "label": writer.message("\(words).\(name)"), "is_chosen": name == chosen]
        }
    }

    private func row(_ key: AccessKeyDesk.Entry, _ writer: inout ConsoleWriter) -> [String: Any] {
        var row: [String: Any] = [
            "prefix": writer.exact(key.prefix), "role_label": writer.message("console.role.\(key.role.rawValue)"),
            "reach_label": writer.message("console.reach.\(key.reach.rawValue)"),
            "networks": key.networks.map { writer.exact($0) },
            "is_own": key.means == .clientCredentials,
        ]
        row.set("issued", writer.time(key.issuedAt))
        row.set("used", writer.time(key.usedAt))
        row.set("expires", writer.time(key.expiresAt))
        row.set("revoked", writer.time(key.revokedAt))
        let isOffered = mayChange && key.revokedAt == nil && revoking == nil
        let address = writer.link(Self.address(of: client.id), [(name: "key", value: key.id)])
        row.set("revoke", isOffered ? address : nil)
        return row
    }
}
