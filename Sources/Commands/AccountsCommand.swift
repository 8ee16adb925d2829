import Accounts
import ArgumentParser
import Cryptography
import Foundation
import GatewaySettings
import HTTPServer
import JSON
import Logging
import OperatorAccess
import Operators
import Vocabulary

/// `gateway accounts …`.
struct AccountsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts", abstract: "Create, find, show, merge, change, export and delete accounts.",
        subcommands: [
            Create.self, Import.self, Search.self, Show.self, History.self, Suggest.self, Merge.self, Split.self,
            Undo.self, TemporaryPassword.self, Export.self,
        ] + AccountAction.commands())

    /// An account argument: id or proved address.
    struct Named: ParsableArguments {
        @Argument(help: "The account's id, or its proved e-mail address.") var account: String

        func find(_ services: AdminServices, _ actor: AdminActor) async throws -> UUID {
            try await Self.find(account, services, actor)
        }

        static func find(_ account: String, _ services: AdminServices, _ actor: AdminActor) async throws -> UUID {
            guard UUID(uuidString: account) != nil || EmailAddress(account) != nil else {
                throw ValidationError("\(account) is neither an account id nor an e-mail address.")
            }
            do {
                return try await services.records.account(named: account, by: actor)
            } catch AdminRefusal.notFound {
                throw Failure("There is no such account: \(account). Find it with: gateway accounts search")
            }
        }
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create an account with a password, or invite its user.",
            discussion: """
                Standard input provides the password, one line, so that it appears in no history or process list. The address \
                counts as proved.

                With --invite no password is read. The address gets a mail with a link, by which its user proves it and \
                chooses a password. The link works once, for 7 days.
                """)

        @OptionGroup var options: ConfigurationOptions
        @Option(help: "The e-mail address.") var email: String
        @Option(help: "The display name.") var name: String?
        @Option(help: "The id of the app whose user it becomes.") var client: String?
        @Flag(help: "Mail an invitation instead of reading a password.") var invite = false
        @OptionGroup var why: ReasonOption
        @OptionGroup var output: OutputOptions

        func run() async throws {
            guard let address = EmailAddress(email) else { throw ValidationError("\(email) is not an e-mail address.") }
            let configuration = try options.load(for: .passwords)
            let password = invite ? nil : try await Self.readPassword(configuration, address)
            try await Operator.serve(options, for: .passwords) { services, actor in
                let new = try NewAccount([
                    "email": .string(email), "email_verified": .bool(!invite), "invite": .bool(invite),
                    "display_name": name.map(JSON.string) ?? .null, "client_id": client.map(JSON.string) ?? .null,
                ])
                do {
                    let account = try await services.creation.create(
                        new, verifiers: password, because: why.reason(), by: actor)
                    let mail = invite ? " \(email) gets a mail with a link that works once, for 7 days." : ""
                    output.report(
                        "Created the account \(account.text).\(mail)",
                        ["id": .string(account.text), "invited": .bool(invite)])
                } catch AdminRefusal.identityInUse {
                    throw Failure("Another account has this proved address.")
                }
            }
        }

        private static func readPassword(_ configuration: GatewayConfiguration, _ address: EmailAddress) async throws
            -> PasswordVerifiers
        {
            guard let password = readLine(strippingNewline: true), !password.isEmpty else {
                throw ValidationError(
                    "Provide the password on standard input, for example: printf '%s' \"$password\" | gateway accounts create …"
                )
            }
            let policy = PasswordPolicy(
                minimumLength: configuration.passwords.minimumLength,
                serviceWords: configuration.passwords.serviceWords)
            if let complaint = policy.complaint(password, address: address) {
                throw Failure(ErrorCatalogue[complaint.rawValue]?.title ?? complaint.rawValue)
            }
            let hasher = PasswordHasher(parameters: configuration.passwords.parameters, threads: 1, queueLimit: 1)
            defer { hasher.shutdown() }
            return try await hasher.verifiers(of: password)
        }
    }
}
