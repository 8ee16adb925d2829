import JSON
import TestSupport
import Testing

/// The result of a `gateway` command.
struct CommandResult: Sendable {
    /// Nil after a forced end.
    let exitCode: Int?
    let output: String
    let errors: String

    /// The secret that a command with `--json` printed.
    func secret() throws -> String { try #require(try JSON(parsing: output)["secret"]?.string, "\(errors)") }
}

extension Deployment {
    /// Runs a command of `gateway` to its end, with the servers' environment.
    ///
    /// - Parameter changes: keys that differ from ``environment``; nil removes one.
    func run(_ arguments: String..., changes: [String: String?] = [:]) async throws -> CommandResult {
        try await run(arguments, changes: changes)
    }

    /// The same with a list of arguments.
    func run(_ arguments: [String], changes: [String: String?] = [:]) async throws -> CommandResult {
        var values = environment
        for (key, value) in changes { values[key] = value }
        let child = try ChildProcess("gateway", arguments, environment: values, folder: folder)
        let code = await child.waitForExit(within: .seconds(90))
        if code == nil { await child.kill9() }
        return CommandResult(exitCode: code, output: child.output, errors: child.errors)
    }

    /// `gateway accounts disable`, or `enable`.
    func accounts(_ verb: String, _ account: String) async throws -> CommandResult {
        try await run(["accounts", verb, account, "--reason", "a test"] + (verb == "enable" ? [] : ["--yes"]))
    }

    /// Starts a gateway, runs `body`, and stops it if it still runs.
    func serving(_ changes: [String: String?] = [:], _ body: (GatewayProcess) async throws -> Void) async throws {
        let gateway = try await start(changes)
        do {
            try await body(gateway)
        } catch {
            await gateway.kill9()
            throw error
        }
        guard gateway.child.exitCode == nil else { return }
        await gateway.expectGoodEnd()
    }
}
