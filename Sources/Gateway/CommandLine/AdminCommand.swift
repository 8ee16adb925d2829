import Admin
import ArgumentParser
import Foundation
import JSON

/// `gateway admin …`: who is an operator.
struct AdminCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "admin", abstract: "Say who is an operator.", subcommands: [List.self, Grant.self, Withdraw.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the operators with their roles.")

        @OptionGroup var options: ConfigurationOptions

        func run() async throws {
            try await Operator.serve(options) { services, actor in
                for entry in try await services.operators.list(by: actor) {
                    let name = entry.email ?? entry.displayName ?? "-"
                    Console.write(
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
                viewer sees everything and changes nothing; support helps people (sessions, resets, disabling); admin also \
                merges, moves, deletes and exports; owner also says who is an operator. The account has enrolled a \
                second factor before; it is signed out everywhere, and told. What lets somebody in is printed with its age.
                """)

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var named: AccountsCommand.Named
        @Option(help: "viewer, support, admin or owner.") var role: OperatorRole
        @Flag(
            help: "Grant it although the account has no second factor yet, or an operator's change of it can be undone."
        )
        var anyway = false
        @OptionGroup var why: ReasonOption

        func run() async throws {
            try await Operator.serve(options) { services, actor in
                let account = try await named.find(services, actor)
                for method in try await services.operators.methods(of: account, by: actor) {
                    let origin = method.origin.map { "  (\(MethodOrigin($0).words))" } ?? ""
                    Console.write("\(method.kind)  \(method.name ?? "-")  since \(method.since)\(origin)")
                }
                try await services.operators.grant(
                    role, to: account, because: why.reason(), by: actor, force: anyway)
            }
        }
    }

    struct Withdraw: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Take an operator's role away.")

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

/// Why, in words; at the command line it may be left out.
struct ReasonOption: ParsableArguments {
    @Option(name: .customLong("reason"), help: "Why, for the audit log.") var text = "at the command line"

    func reason() throws -> Reason { try Reason(text) }
}
