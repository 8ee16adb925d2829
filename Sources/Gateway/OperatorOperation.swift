import Console

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

    static let all = accounts + apps + service + administration

    private static let accounts: [OperatorOperation] = [
        Self(
            "find accounts", console: ["GET /admin/accounts"], api: ["GET accounts"], commands: ["accounts search"]),
        Self(
            "view an account and its history", console: ["GET /admin/accounts/{id}"],
            api: ["GET accounts/{id}", "GET accounts/{id}/history", "GET accounts/{id}/suggestions"],
            commands: ["accounts show", "accounts history", "accounts suggest"]),
        ofAccount("disable", .disable), ofAccount("enable", .enable),
        ofAccount("require a new password", .requireReset), ofAccount("require a new proof", .requireProof),
        ofAccount("end a session", .endSession, as: "end-sessions"), ofAccount("end all sessions", .endSessions),
        ofAccount("demand a second factor", .demandFactor),
        ofAccount("stop demanding one", .waiveFactor, as: "demand-second-factor"),
        ofAccount("remove second factors", .removeFactors), ofAccount("keep second factors", .keepFactors),
        Self(
            "link a provider", console: [change(.link)], api: ["POST accounts/{id}/identities"],
            commands: ["accounts link"]),
        Self(
            "unlink a provider", console: [change(.unlink)],
            api: ["POST accounts/{id}/identities/{identity}/unlink"], commands: ["accounts unlink"]),
        Self(
            "move a provider", console: [change(.move)], api: ["POST accounts/{id}/identities/{identity}/move"],
            commands: ["accounts move"]),
        Self(
            "merge two accounts", console: ["GET /admin/accounts/{id}/merge", "POST /admin/accounts/{id}/merge"],
            api: ["POST accounts/{id}/merge/preview", "POST accounts/{id}/merge"], commands: ["accounts merge"]),
        Self(
            "split an account", console: ["GET /admin/accounts/{id}/split", "POST /admin/accounts/{id}/split"],
            api: ["POST accounts/{id}/split"], commands: ["accounts split"]),
        Self(
            "undo a change", console: ["GET /admin/accounts/{id}/undo", "POST /admin/accounts/{id}/undo"],
            api: ["POST changes/{id}/undo"], commands: ["accounts undo"]),
        ofAccount("delete an account", .deleteAccount, as: "delete"),
        ofAccount("cancel a deletion", .cancelDeletion), ofAccount("export an account", .exportAccount, as: "export"),
        Self(
            "set a temporary password", console: [], api: [], commands: ["accounts temporary-password"],
            gap: "anyone who reads it can sign in, so no role may set one remotely"),
        Self(
            "create and import accounts", console: [], api: [], commands: ["accounts create", "accounts import"],
            gap: "passwords and their hashes stay on the server"),
    ]

    /// An operation with one name in every interface: `remove_factors`, `remove-factors`.
    private static func ofAccount(_ name: String, _ action: ConsoleAction, as command: String? = nil) -> Self {
        let word = command ?? action.rawValue.replacing("_", with: "-")
        return Self(
            name, console: [change(action)], api: ["POST accounts/{id}/\(word)"], commands: ["accounts \(word)"])
    }

    private static func change(_ action: ConsoleAction) -> String {
        "POST /admin/accounts/{id}/change?do=\(action.rawValue)"
    }
}
