import Accounts
import ArgumentParser
import Foundation
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

        func run() async throws {
            try await Operator.serve(options) { services, actor in
                for entry in try await services.operators.list(by: actor) {
                    let name = entry.email ?? entry.displayName ?? "-"
                    Terminal.write(
                        "\(entry.role.rawValue)  \(entry.account.text)  \(name)  since \(RFC3339.text(entry.grantedAt))"
                    )
                }
            }
        }
    }

    struct Grant: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make an account an operator, or change its role.",
            discussion: """
                viewer reads everything and changes nothing. support also ends sessions, resets and disables. admin also \
                merges, moves, deletes and exports. owner also manages operators. The account needs a second factor. It is \
                signed out everywhere and notified. The command prints its sign-in methods with their age.
                """)

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var named: AccountsCommand.Named
        @Option(help: "viewer, support, admin or owner.") var role: OperatorRole
        @Flag(
            help:
                "Grant the role even if the account has no second factor, or if an operator's change can still be undone."
        )
        var anyway = false
        @OptionGroup var why: ReasonOption

        func run() async throws {
            try await Operator.serve(options) { services, actor in
                let account = try await named.find(services, actor)
                for method in try await services.operators.methods(of: account, by: actor) {
                    let origin = method.origin.map { "  (\(MethodOrigin($0).words))" } ?? ""
                    Terminal.write("\(method.kind)  \(method.name ?? "-")  since \(method.since)\(origin)")
                }
                try await services.operators.grant(
                    role, to: account, because: why.reason(), by: actor, force: anyway)
            }
        }
    }

    struct Withdraw: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Withdraw an operator's role.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var named: AccountsCommand.Named
        @OptionGroup var why: ReasonOption

        func run() async throws {
            try await Operator.serve(options) { services, actor in
                let account = try await named.find(services, actor)
                try await services.operators.withdraw(from: account, because: why.reason(), by: actor)
            }
        }
    }
}

extension OperatorRole: ExpressibleByArgument {}

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
