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
import Postgres
import Telemetry
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
            abstract: "Create an account with a password.",
            discussion:
                "Standard input provides the password, one line, so that it appears in no history or process list. The address counts as proved."
        )

        @OptionGroup var options: ConfigurationOptions
        @Option(help: "The e-mail address.") var email: String
        @Option(help: "The display name.") var name: String?
        @OptionGroup var output: OutputOptions

        func run() async throws {
            guard let address = EmailAddress(email) else { throw ValidationError("\(email) is not an e-mail address.") }
            try await Operator.run(options, for: .passwords) { configuration, pool in
                let password = try await Self.readPassword(configuration, address)
                let id = UUID.v7(at: Date(), random: .system)
                let made = try await AccountStore(pool: pool).create(
                    id, address: address, displayName: name, password: password, requestID: Operator.requestID)
                guard made == .created else { throw Failure("Another account has this proved address.") }
                output.report("Created the account \(id.text).", ["id": .string(id.text)])
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
            let policy = PasswordPolicy(minimumLength: configuration.passwords.minimumLength)
            if let complaint = policy.complaint(password, address: address) {
                throw Failure(ErrorCatalogue[complaint.rawValue]?.title ?? complaint.rawValue)
            }
            let hasher = PasswordHasher(parameters: configuration.passwords.parameters, threads: 1, queueLimit: 1)
            defer { hasher.shutdown() }
            return try await hasher.verifiers(of: password)
        }
    }
}
