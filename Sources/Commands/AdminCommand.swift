import Accounts
import ArgumentParser
import Foundation
import GatewaySettings
import JSON
import OperatorAccess
import Operators
import Telemetry

/// `gateway admin …`: manages operators.
struct AdminCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "admin", abstract: "Manage operators.", subcommands: [List.self, Grant.self, Withdraw.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the operators with their roles.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await Operator.serve(options, for: .records) { services, actor in
                let entries = try await services.operators.list(by: actor)
                output.write(["role", "account", "email", "display_name", "since"], entries.map(Self.row))
            }
        }

        private static func row(_ entry: OperatorDesk.Entry) -> JSON {
            [
                "role": .string(entry.role.rawValue), "account": .string(entry.account.text),
                "email": entry.email.map(JSON.string) ?? .null,
                "display_name": entry.displayName.map(JSON.string) ?? .null,
                "since": .string(RFC3339.text(entry.grantedAt)),
                "granted_by": entry.grantedBy.map { .string($0.text) } ?? .null,
            ]
        }
    }

    struct Grant: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make an account an operator, or change its role.",
            discussion: """
                viewer reads everything and changes nothing. support also ends sessions, resets and disables. admin also \
                merges, moves, deletes and exports. owner also manages operators. The account needs a second factor. It is \
                signed out everywhere and notified. The command first prints its sign-in methods with their age.
                """)

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var named: AccountsCommand.Named
        @Option(help: "viewer, support, admin or owner.", transform: Word.one(of: OperatorRole.self))
        var role: OperatorRole
        @Flag(
            help:
                "Grant the role even if the account has no second factor, or if an operator's change can still be undone."
        )
        var anyway = false
        @OptionGroup var why: ReasonOption
        @OptionGroup var consent: Confirmation
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let effect = "The account gets the role \(role.rawValue). Its sessions end."
            try consent.requireMeans(effect)
            try await Operator.serve(options, for: .signInMethods) { services, actor in
                let account = try await named.find(services, actor)
                let methods = try await services.operators.methods(of: account, by: actor).map(Self.row)
                if !output.json { output.write(["method", "name", "since", "origin"], methods) }
                try consent.require(effect, of: named.account)
                let grant = try await services.operators.grant(
                    role, to: account, because: why.reason(), by: actor, force: anyway)
                let sentence =
                    switch grant {
                    case .granted: "\(account.text) has the role \(role.rawValue). Its sessions have ended."
                    case .waitsForOwner:
                        "\(account.text) gets the role as soon as a second owner grants the same, within a day."
                    }
                output.report(
                    sentence,
                    [
                        "account": .string(account.text), "role": .string(role.rawValue),
                        "granted": .bool(grant == .granted), "methods": .array(methods),
                    ])
            }
        }

        private static func row(_ method: OperatorDesk.SignInMethod) -> JSON {
            [
                "method": .string(method.kind), "name": method.name.map(JSON.string) ?? .null,
                "since": .string(method.since),
                "origin": method.origin.map { .string(MethodOrigin($0).words) } ?? .null,
            ]
        }
    }

    struct Withdraw: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Withdraw an operator's role.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var named: AccountsCommand.Named
        @OptionGroup var why: ReasonOption
        @OptionGroup var consent: Confirmation
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try consent.require("The operator loses the role with the next request.", of: named.account)
            try await Operator.serve(options, for: .records) { services, actor in
                let account = try await named.find(services, actor)
                try await services.operators.withdraw(from: account, because: why.reason(), by: actor)
                output.report("\(account.text) has no role any more.", ["account": .string(account.text)])
            }
        }
    }
}

/// The reason for the audit log; optional on the command line.
struct ReasonOption: ParsableArguments {
    @Option(name: .customLong("reason"), help: "The reason, for the audit log.") var text = "at the command line"

    /// Before anything else, so that a refused reason is reported without a database.
    func validate() throws {
        do {
            _ = try reason()
        } catch let refusal as AdminRefusal {
            throw ValidationError(CommandRefusal.sentence(refusal, .account))
        }
    }

    func reason() throws -> Reason { try Reason(text) }
}
