import Console

/// Operations on apps, the service and operators.
extension OperatorOperation {
    static let apps: [OperatorOperation] = [
        Self(
            "view the apps",
            console: ["GET /admin/clients", "GET /admin/clients/{id}", "GET /admin/clients/{id}/quickstart"],
            api: ["GET clients", "GET clients/{id}"], commands: ["clients list", "clients show"]),
        Self(
            "view the agents", console: ["GET /admin/agents"], api: ["GET clients"], commands: ["clients agents"]),
        Self(
            "revoke an agent", console: ["GET /admin/clients/{id}/revoke", "POST /admin/clients/{id}/revoke"],
            api: ["PATCH clients/{id}"], commands: ["clients change"]),
        Self(
            "add an app", console: ["GET /admin/new-client", "POST /admin/new-client"], api: ["POST clients"],
            commands: ["clients create"]),
        Self(
            "change an app", console: ["GET /admin/clients/{id}/change", "POST /admin/clients/{id}/change"],
            api: ["PATCH clients/{id}"], commands: ["clients change"]),
        Self(
            "replace an app's secret", console: ["GET /admin/clients/{id}/secret", "POST /admin/clients/{id}/secret"],
            api: ["POST clients/{id}/secret"], commands: ["clients replace-secret"]),
        Self(
            "view the access keys of an app", console: ["GET /admin/clients/{id}/access-keys"],
            api: ["GET clients/{id}/access-keys"], commands: ["clients access-keys"]),
        Self(
            "issue and revoke an access key", console: ["POST /admin/clients/{id}/access-keys"],
            api: ["POST clients/{id}/access-keys", "DELETE clients/{id}/access-keys/{key}"],
            commands: ["clients issue-key", "clients revoke-key"]),
        Self(
            "compare the linking policies", console: ["GET /admin/clients/{id}"], api: ["GET clients/{id}/linking"],
            commands: ["clients rehearse-linking"]),
        Self(
            "declare all apps in a file", console: [], api: [], commands: ["clients apply", "clients export"],
            gap: "the file is on the administrator's machine"),
        Self(
            "convert an Amplify file", console: [], api: [], commands: ["clients convert-amplify"],
            gap: "the file is on the developer's machine, and nothing is stored"),
        Self(
            "view the texts of messages", console: ["GET /admin/messages", "GET /admin/messages/{id}"],
            api: ["GET messages", "GET messages/{id}"], commands: ["messages list", "messages show"]),
        Self(
            "change the texts of a message", console: [message(.save)], api: ["PATCH messages/{id}"],
            commands: ["messages change"]),
        Self(
            "restore the texts of a message", console: [message(.reset)], api: ["POST messages/{id}/reset"],
            commands: ["messages reset"]),
        Self(
            "preview a message", console: ["POST /admin/message-preview/{id}"], api: ["POST messages/{id}/preview"],
            commands: ["messages preview"]),
        Self(
            "send a test message", console: [message(.testMail), message(.testText)],
            api: ["POST messages/{id}/test"], commands: [], gap: "a shell has no address of its own"),
        Self(
            "view the webhook endpoints and deliveries", console: ["GET /admin/events", "GET /admin/events/{id}"],
            api: ["GET events/endpoints", "GET events/deliveries"], commands: ["events list", "events deliveries"]),
        Self(
            "add an endpoint", console: ["GET /admin/new-endpoint", "POST /admin/new-endpoint"],
            api: ["POST events/endpoints"], commands: ["events create"]),
        Self(
            "change an endpoint",
            console: [
                "GET /admin/events/{id}/change", "POST /admin/events/{id}/change", act(.disable), act(.enable),
            ],
            api: ["PATCH events/endpoints/{id}"], commands: ["events change"]),
        Self(
            "remove an endpoint", console: [act(.remove)], api: ["DELETE events/endpoints/{id}"],
            commands: ["events remove"]),
        Self(
            "test an endpoint", console: [act(.test)], api: ["POST events/endpoints/{id}/test"],
            commands: ["events test"]),
        Self(
            "replace an endpoint's secret", console: [act(.secret)], api: ["POST events/endpoints/{id}/secret"],
            commands: ["events replace-secret"]),
        Self(
            "send events again", console: [act(.replayDead), act(.replaySince), act(.replayOne)],
            api: ["POST events/endpoints/{id}/replay", "POST events/deliveries/{id}/replay"],
            commands: ["events replay"]),
    ]

    static let service: [OperatorOperation] = [
        Self(
            "view the providers", console: ["GET /admin/providers"], api: ["GET providers"],
            commands: ["providers list", "providers credentials"]),
        Self(
            "view the overview", console: ["GET /admin", "GET /admin/overview"], api: ["GET overview"], commands: [],
            gap: "a terminal has no charts; `/metrics` has the numbers"),
        Self(
            "view the slowest requests", console: ["GET /admin/requests"], api: [], commands: [],
            gap: "each server remembers its own; the log has every request"),
        Self("read the audit log", console: ["GET /admin/audit"], api: ["GET audit"], commands: ["audit list"]),
        Self(
            "export the audit log", console: ["GET /admin/audit/export", "POST /admin/audit/export"],
            api: ["POST audit/export"], commands: ["audit export"]),
        Self(
            "follow the audit log", console: ["GET /admin/audit/live", "GET /admin/audit/live/rows"],
            api: ["GET audit/stream"], commands: [], gap: "`audit list` reads it again"),
        Self(
            "verify and prune the audit log", console: [], api: [], commands: ["audit verify", "audit prune"],
            gap: "no operator may check or shorten the record of operators"),
        Self(
            "end the sessions of all users", console: [], api: [], commands: ["sessions revoke"],
            gap: "after a leak an operator's session may be the attacker's"),
    ]

    static let administration: [OperatorOperation] = [
        Self("view one's role", console: ["GET /admin"], api: ["GET me"], commands: [], gap: "a shell has no role"),
        Self(
            "view the operators", console: ["GET /admin/operators"], api: ["GET operators"],
            commands: ["admin list"]),
        Self(
            "grant a role", console: ["GET /admin/operators/change", "POST /admin/operators/change?do=grant"],
            api: ["GET operators/{id}/methods", "PUT operators/{id}"], commands: ["admin grant"]),
        Self(
            "withdraw a role", console: ["POST /admin/operators/change?do=withdraw"],
            api: ["DELETE operators/{id}"], commands: ["admin withdraw"]),
    ]

    private static func message(_ action: MessageAction) -> String {
        "POST /admin/messages/{id}?do=\(action.rawValue)"
    }

    private static func act(_ action: EndpointAction) -> String {
        "POST /admin/events/{id}/act?do=\(action.rawValue)"
    }
}
