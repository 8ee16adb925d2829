import ArgumentParser
import Clients
import Foundation
import OperatorAccess
import Operators
import Telemetry

/// Commands for the access keys of a client's back end.
extension ClientsCommand {
    struct AccessKeys: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "access-keys", abstract: "List the access keys of a client's back end, newest first.")

        @OptionGroup var options: ConfigurationOptions
        @Argument(help: "The client's id.") var client: String

        func run() async throws {
            try await Operator.serve(options, about: .client) { services, actor in
                for key in try await services.accessKeys.list(of: client, by: actor) {
                    let state = key.revokedAt.map { "  revoked \(RFC3339.text($0))" } ?? ""
                    let reach = key.reach == .gateway ? "  every app" : ""
                    Terminal.write(
                        "\(key.id)  \(key.role.rawValue)\(reach)  issued \(RFC3339.text(key.issuedAt))\(state)")
                }
            }
        }
    }

    struct IssueKey: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "issue-key",
            abstract: "Issue an access key. Prints its id and, once, its secret.",
            discussion: """
                A back end signs administrator operations with it. The role decides which: viewer reads users, support also \
                signs users out and disables them, admin also creates users, sets passwords and links providers.

                The key reaches the users of its app, and of the apps with the same user pool. It never reaches operators. \
                With --reach gateway it reaches the users of every app.
                """)

        @OptionGroup var options: ConfigurationOptions
        @Argument(help: "The client's id.") var client: String
        @Option(help: "viewer, support or admin.") var role: String
        @Option(help: "pool, or gateway for the users of every app.") var reach = AccessKeyDesk.Reach.pool
        @OptionGroup var why: ReasonOption

        func run() async throws {
            guard let role = OperatorRole(rawValue: role), role < .owner else {
                throw ValidationError("\(self.role) is not a role of a key: choose viewer, support or admin.")
            }
            try await Operator.serve(options, about: .client) { services, actor in
                let issued = try await services.accessKeys.issue(
                    to: client, as: role, reach: reach, because: why.reason(), by: actor)
                Terminal.write("\(issued.id)  \(issued.secret)")
            }
        }
    }

    struct RevokeKey: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke-key", abstract: "Revoke an access key. Its next call is refused.")

        @OptionGroup var options: ConfigurationOptions
        @Argument(help: "The client's id.") var client: String
        @Argument(help: "The key's id.") var key: String
        @OptionGroup var why: ReasonOption

        func run() async throws {
            try await Operator.serve(options, about: .client) { services, actor in
                try await services.accessKeys.revoke(key, of: client, because: why.reason(), by: actor)
                Terminal.write("\(key) is revoked")
            }
        }
    }
}

extension AccessKeyDesk.Reach: ExpressibleByArgument {}
