import ArgumentParser
import Clients
import GatewaySettings
import JSON
import OperatorAccess
import Operators

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
                    ["id", "role", "reach", "means", "networks", "issued_at", "expires_at", "used_at", "revoked_at"],
                    try await services.accessKeys.list(of: client, by: actor).map(\.json))
            }
        }
    }

    struct IssueKey: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "issue-key",
            abstract: "Issue an access key for a back end. Prints it once.",
            discussion: """
                With the key as bearer token a back end calls the administration API (docs/admin.md). The role decides what it \
                may do: viewer reads users, support also signs users out and disables them, admin also creates users and links \
                providers. With the API of a user pool the key also has a secret, which signs that API's administrator operations.

                The key reaches the users of its app, and of the apps with the same user pool. It never reaches operators. \
                With --reach gateway it reaches the users of every app, and may change apps, endpoints and texts.

                With --means client_credentials the key has no secret. The app gets tokens with its own secret or key at the \
                token endpoint, for the resource PUBLIC_URL/admin/api/v1. Of several such keys the newest acts that has not expired \
                and works from the app's network.
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
        @Option(
            help: "secret, or client_credentials for the app's own authentication.",
            transform: Word.one(of: AccessKeyDesk.Means.self))
        var means = AccessKeyDesk.Means.secret
        @Option(
            name: .customLong("network"),
            help: "An address or network from which the key works. Repeat it for several. Without it: everywhere.")
        var networks: [String] = []
        @Option(help: "The days until the key expires: 1 to 3650.") var days = NewAccessKey.standardDays
        @Flag(help: "The key never expires.") var noExpiry = false
        @OptionGroup var why: ReasonOption
        @OptionGroup var output: OutputOptions

        private var key: NewAccessKey {
            get throws(AdminRefusal) {
                try NewAccessKey([
                    "role": .string(role), "reach": .string(reach.rawValue), "means": .string(means.rawValue),
                    "networks": .array(networks.map(JSON.string)),
                    "expires_in_days": noExpiry ? .null : .integer(days),
                ])
            }
        }

        /// Before anything else, so that a refused option is reported without a database.
        func validate() throws {
            do throws(AdminRefusal) {
                _ = try key
            } catch {
                throw ValidationError(CommandRefusal.sentence(error, .client))
            }
        }

        func run() async throws {
            try await Operator.serve(options, for: .records, about: .client, named: client) { services, actor in
                let issued = try await services.accessKeys.issue(
                    try key, to: client, because: why.reason(), by: actor)
                var record: JSONObject = ["id": .string(issued.id)]
                record["key"] = issued.key.map(JSON.string)
                record["secret"] = issued.signs ? issued.secret.map(JSON.string) : nil
                output.write(record: .object(record))
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
