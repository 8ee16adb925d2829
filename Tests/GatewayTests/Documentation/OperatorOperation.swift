import Operators

/// An operation of operators, and its place in each of the three interfaces.
///
/// A test compares the list with the routes and commands. So console, API and command line stay equal, or the list
/// states why not.
struct OperatorOperation: Sendable {
    let name: String
    /// `POST /admin/accounts/{id}/change?do=disable`; the query names the action of the page.
    let console: [String]
    /// Below ``AdminDoor/root``.
    let api: [String]
    /// Without `gateway`.
    let commands: [String]
    /// Why an interface lacks it; nil if all have it.
    let gap: String?

    init(_ name: String, console: [String], api: [String], commands: [String], gap: String? = nil) {
        (self.name, self.console, self.api, self.commands, self.gap) = (name, console, api, commands, gap)
    }

    static let all = accounts + declared + apps + service + administration

    private static let accounts: [OperatorOperation] = [
        Self(
            "find accounts", console: ["GET /admin/accounts"], api: ["GET accounts"], commands: ["accounts search"]),
        Self(
            "view an account and its history", console: ["GET /admin/accounts/{id}"],
            api: ["GET accounts/{id}", "GET accounts/{id}/history", "GET accounts/{id}/suggestions"],
            commands: ["accounts show", "accounts history", "accounts suggest"]),
        Self(
            "merge two accounts", console: ["GET /admin/accounts/{id}/merge", "POST /admin/accounts/{id}/merge"],
            api: ["POST accounts/{id}/merge/preview", "POST accounts/{id}/merge"], commands: ["accounts merge"]),
        Self(
            "split an account", console: ["GET /admin/accounts/{id}/split", "POST /admin/accounts/{id}/split"],
            api: ["POST accounts/{id}/split"], commands: ["accounts split"]),
        Self(
            "undo a change", console: ["GET /admin/accounts/{id}/undo", "POST /admin/accounts/{id}/undo"],
            api: ["POST changes/{id}/undo"], commands: ["accounts undo"]),
        Self(
            "impersonate",
            console: ["POST /admin/accounts/{id}/change?do=impersonate", "POST /admin/end-impersonation"], api: [],
            commands: [], gap: "tools use the token endpoint, and the command line has no operator to name"),
        Self(
            "set a temporary password", console: [], api: [], commands: ["accounts temporary-password"],
            gap: "anyone who reads it can sign in, so no role may set one remotely"),
        Self(
            "create an account", console: ["GET /admin/new-account", "POST /admin/new-account"], api: ["POST accounts"],
            commands: ["accounts create"]),
        Self(
            "import accounts", console: [], api: [], commands: ["accounts import"],
            gap: "password hashes stay on the server"),
    ]

    /// The operations that follow from the declared actions.
    ///
    /// The console has two actions where an argument decides.
    private static let declared = Dictionary(
        grouping: AccountAction.all(.form).filter { $0 != .impersonate }, by: \.word
    ).map { word, actions in
        Self(
            word, console: actions.map { "POST /admin/accounts/{id}/change?do=\($0.name)" },
            api: actions.filter { $0.interfaces.contains(.endpoint) }.map { action in
                "\(action.removes ? "DELETE" : "POST") \(action.path)"
            },
            commands: ["accounts \(word)"])
    }
}
