import ArgumentParser
import Clients
import GatewaySettings
import JSON
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
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await Operator.serve(options, for: .records, about: .client, named: client) { services, actor in
                output.write(
                    ["id", "role", "reach", "issued_at", "revoked_at"],
                    try await services.accessKeys.list(of: client, by: actor).map { key in
                        [
                            "id": .string(key.id), "role": .string(key.role.rawValue),
                            "reach": .string(key.reach.rawValue), "issued_at": .string(RFC3339.text(key.issuedAt)),
                            "revoked_at": key.revokedAt.map { .string(RFC3339.text($0)) } ?? .null,
                        ]
                    })
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
        @Option(
            help: "viewer, support or admin.",
            transform: Word.one(of: OperatorRole.allCases.filter { $0 < .owner }.map(\.rawValue)))
        var role: String
        @Option(
            help: "pool, or gateway for the users of every app.", transform: Word.one(of: AccessKeyDesk.Reach.self))
        var reach = AccessKeyDesk.Reach.pool
        @OptionGroup var why: ReasonOption
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await Operator.serve(options, for: .records, about: .client, named: client) { services, actor in
                let issued = try await services.accessKeys.issue(
                    to: client, as: OperatorRole(rawValue: role) ?? .viewer, reach: reach, because: why.reason(),
                    by: actor)
                output.write(record: ["id": .string(issued.id), "secret": .string(issued.secret)])
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
        @OptionGroup var consent: Confirmation
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try consent.require("The next call with the key is refused.", of: key)
            try await Operator.serve(options, for: .records, about: .client, named: client) { services, actor in
                try await services.accessKeys.revoke(key, of: client, because: why.reason(), by: actor)
                output.report("\(key) is revoked", ["id": .string(key)])
            }
        }
    }
}
