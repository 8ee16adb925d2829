import TestSupport
import Testing

/// Commands that end or delete something.
@Suite("Commands that ask first")
struct ConfirmationTests {
    private static let (account, id) = ("ann@example.org", "01a1fe3f-ad60-7cc1-b0f3-6f3e6f1f2b1d")

    /// Every command that asks before it connects to the database.
    private static let commands = [
        ["accounts", "disable", account], ["accounts", "delete", account], ["accounts", "require-reset", account],
        ["accounts", "require-proof", account, "--address", account], ["accounts", "remove-factors", account],
        ["accounts", "end-sessions", account], ["accounts", "unlink", account, id],
        ["accounts", "move", account, id, "bob@example.org"], ["accounts", "temporary-password", account],
        ["admin", "grant", account, "--role", "viewer"], ["admin", "withdraw", account],
        ["accounts", "merge", account, id], ["accounts", "split", account, "--password"],
        ["clients", "change", "app", "--disable-use"], ["clients", "replace-secret", "app"],
        ["clients", "revoke-key", "app", "K"],
        ["clients", "apply", "apps.yaml", "--disable-others"], ["events", "remove", id],
        ["messages", "reset", "code-sign-in"], ["audit", "prune", "--keep-months", "3"], ["keys", "rotate", "--now"],
        ["keys", "rotate", "--compromised"], ["apple", "import-transfer", "--file", "transfer.jsonl"],
    ]

    @Test("without a terminal, a dangerous command needs --yes and names it", arguments: commands)
    func refused(command: [String]) async throws {
        let child = try ChildProcess("gateway", command)
        #expect(await child.waitForExit(within: .seconds(90)) == 64, "\(child.errors)")
        #expect(child.errors.contains("This needs --yes without a terminal: ") && child.output == "", "\(child.errors)")
    }

    @Test("with --yes each goes on, to the settings that are missing here", arguments: commands)
    func confirmed(command: [String]) async throws {
        // The file of apps is read before the settings.
        guard !command.contains("apply") else { return }
        let child = try ChildProcess("gateway", command + ["--yes"])
        #expect(await child.waitForExit(within: .seconds(90)) == 78, "\(child.errors)")
        #expect(child.errors.contains("DATABASE_URL: is missing"), "\(child.errors)")
    }
}
