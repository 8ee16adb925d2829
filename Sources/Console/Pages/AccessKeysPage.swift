import Clients
import OperatorAccess
import Telemetry

/// `GET …/access-keys`, and the answer to its `POST`, which alone contains the secret of a new key.
struct AccessKeysPage: ConsolePage {
    static let template = "console_access_keys"
    /// The roles that a key may have.
    static let roles = OperatorRole.allCases.filter { $0 < .owner }.map(\.rawValue)
    static let reaches = AccessKeyDesk.Reach.allCases.map(\.rawValue)

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
    let role: String
    let reach: String
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
            "roles": Self.roles.map { role in
                [
                    "role": role, "role_label": writer.message("console.role.\(role)"),
                    "is_chosen": role == self.role,
                ] as [String: Any]
            },
            "reaches": Self.reaches.map { reach in
                [
                    "reach": reach, "reach_label": writer.message("console.reach.\(reach)"),
                    "is_chosen": reach == self.reach,
                ] as [String: Any]
            },
        ]
        values.set("revoking", revoking.map { writer.exact($0) })
        values.set("issued", issued.map { ["id": writer.exact($0.id), "secret": writer.exact($0.secret)] })
        return values
    }

    private func row(_ key: AccessKeyDesk.Entry, _ writer: inout ConsoleWriter) -> [String: Any] {
        var row: [String: Any] = [
            "id": writer.exact(key.id), "role_label": writer.message("console.role.\(key.role.rawValue)"),
            "reach_label": writer.message("console.reach.\(key.reach.rawValue)"),
        ]
        row.set("issued", writer.time(RFC3339.text(key.issuedAt)))
        row.set("revoked", key.revokedAt.flatMap { writer.time(RFC3339.text($0)) })
        let isOffered = mayChange && key.revokedAt == nil && revoking == nil
        let address = writer.link(Self.address(of: client.id), [(name: "key", value: key.id)])
        row.set("revoke", isOffered ? address : nil)
        return row
    }
}
