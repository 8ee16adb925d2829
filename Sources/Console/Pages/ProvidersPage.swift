import Clients
import Operators
import Pages

/// `GET /admin/providers`: the configured providers, their missing settings, and the results of their sign-ins.
struct ProvidersPage: ConsolePage {
    static let template = "console_standings"
    /// Providers change their keys so seldom that a set of this age should have been fetched again.
    private static let oldKeySet = 86_400

    struct Entry: Sendable {
        let id: String
        let name: String
        let isHealthy: Bool
        /// As RFC 3339.
        let lastSuccess: String?
        let lastFailure: String?
        /// A stable word.
        let failureReason: String?
        /// In seconds.
        let keySetAge: Int?
        let signIns: Int
        let refusals: Int
        let identities: Int
        let ways: ProviderDesk.Ways
        /// The return address to register at the provider; nil for a provider without redirects.
        let callback: String?
        /// The enabled apps that offer it.
        let apps: [Facts]
    }

    /// A key, secret or certificate.
    struct Credential: Sendable {
        static let kinds = ["certificate", "client_secret", "client_key", "signing_key", "master_key"]
        static let states = ["good", "soon", "urgent", "over", "unknown", "endless"]

        let kind: String
        let provider: String?
        let note: String?
        /// As RFC 3339.
        let expires: String?
        let state: String
    }

    let frame: ConsoleFrame?
    /// This server's origin.
    let issuer: String
    let entries: [Entry]
    let absent: [ProviderDesk.Absent]
    let credentials: [Credential]

    func values(_ writer: inout ConsoleWriter) -> [String: Any] {
        [
            "title": writer.message("console.nav.providers"), "has_standings": !entries.isEmpty,
            "standings": entries.map { row($0, &writer) }, "credentials": credentials.map { row($0, &writer) },
            "set_ups": entries.map { setUp($0, &writer) }, "has_absent": !absent.isEmpty,
            "absent": absent.map { kind in
                ["kind": writer.shown(kind.name), "setting": writer.shown(kind.setting), "page": kind.page]
            },
        ]
    }

    /// The configured and the missing parts of a provider.
    private func setUp(_ entry: Entry, _ writer: inout ConsoleWriter) -> [String: Any] {
        let ways = entry.ways
        var row = writer.provider(entry.id)
        row["takes_tokens"] = ways.takesTokens
        row["takes_passwords"] = ways.takesPasswords
        row["is_in_browser"] = ways.isInBrowser
        row.set("missing", entry.callback != nil && !ways.isInBrowser ? ways.page : nil)
        row.set("callback", entry.callback.map { writer.exact($0) })
        row["has_apps"] = !entry.apps.isEmpty
        row["apps"] = entry.apps.map { app in
            ["address": writer.link(ClientsPage.address(of: app.id)), "app": writer.shown(app["name"] ?? app.id)]
        }
        row.set("test", ways.isInBrowser ? test(entry, &writer) : nil)
        return row
    }

    /// The address of a sign-in with the provider at one of its apps.
    ///
    /// It is copied into a private window: a click would replace the operator's session.
    private func test(_ entry: Entry, _ writer: inout ConsoleWriter) -> String? {
        // An administration session can't begin with a provider.
        let app = entry.apps.first { !$0.names("audiences").contains(Audience.administration.rawValue) }
        return app.map {
            writer.exact(issuer + ConsoleAddress.of("/login/\(entry.id)", [(name: "client_id", value: $0.id)]))
        }
    }

    private func row(_ entry: Entry, _ writer: inout ConsoleWriter) -> [String: Any] {
        let isUnheard = entry.lastSuccess == nil && entry.lastFailure == nil
        var row: [String: Any] = [
            "icon": Brand.icon(of: entry.id), "style": Brand.style(of: entry.id),
            "provider_name": writer.shown(entry.name), "provider_id": writer.shown(entry.id),
            "is_unheard": isUnheard, "is_healthy": entry.isHealthy && !isUnheard, "is_failing": !entry.isHealthy,
            "identities": "\(entry.identities)",
            "sign_ins": number(entry.signIns, "done", entry, &writer),
            "refusals": number(entry.refusals, "refused", entry, &writer),
        ]
        row.set("success", writer.time(entry.lastSuccess))
        row.set("failure", writer.time(entry.lastFailure))
        row.set("failure_text", entry.failureReason.map { writer.shown(CallFailure($0).text(writer.words)) })
        row.set("key_set_age", entry.keySetAge.map { writer.shown(writer.words.duration(seconds: "\($0)")) })
        row.set("is_old", (entry.keySetAge ?? 0) > Self.oldKeySet)
        return row
    }

    private func row(_ credential: Credential, _ writer: inout ConsoleWriter) -> [String: Any] {
        var row: [String: Any] = [
            "kind_label": writer.message("console.credential_kind.\(credential.kind)"),
            "state_label": writer.message("console.credential_state.\(credential.state)"),
            "is_good": credential.state == "good", "is_bad": ["soon", "urgent", "over"].contains(credential.state),
            "is_plain": ["unknown", "endless"].contains(credential.state),
        ]
        row.set("holder", credential.provider.map { writer.shown(writer.providerName($0)) })
        row.set("note", writer.shown(ifAny: credential.note))
        row.set("ends", writer.time(credential.expires))
        row.set("advice", Self.advice[credential.kind].map { writer.message($0) })
        return row
    }

    /// What renews itself.
    private static let advice = [
        "client_key": "console.credential.per_request", "signing_key": "console.credential.by_itself",
    ]

    /// A count, which leads to the rows of the log that it counts.
    private func number(_ count: Int, _ outcome: String, _ entry: Entry, _ writer: inout ConsoleWriter)
        -> [String: Any]
    {
        [
            "count": "\(count)",
            "address": writer.link(
                AuditLogPage.path, [(name: "provider", value: entry.id), (name: "outcome", value: outcome)]),
        ]
    }
}
