import Accounts
import ArgumentParser
import Cryptography
import Foundation
import Logging
import Postgres
import Sessions

/// `gateway accounts …`.
struct AccountsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts", abstract: "Make, find, show, join and change accounts.",
        subcommands: [
            Create.self, Import.self, Search.self, Show.self, History.self, Suggest.self, Merge.self, Split.self,
            Move.self, Link.self, Unlink.self, Undo.self, EndSessions.self, RequireProof.self, Disable.self,
            Enable.self, TemporaryPassword.self, RequireReset.self,
            DemandSecondFactor.self,
        ])

    /// An account, named by its id or its proved address.
    struct Named: ParsableArguments {
        @Argument(help: "The account's id, or its proved e-mail address.") var account: String

        func find(_ store: AccountStore) async throws -> UUID {
            if let id = UUID(uuidString: account) { return id }
            guard let address = EmailAddress(account) else {
                throw ValidationError("\(account) is neither an account id nor an e-mail address.")
            }
            guard let id = try await store.account(provingAddress: address) else {
                throw Failure("No account has proved that address.")
            }
            return id
        }
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make an account with a password.",
            discussion:
                "The password is read from standard input, one line, so that it stands in no history and no process list. You vouch for the address: it counts as proved."
        )

        @OptionGroup var options: ConfigurationOptions
        @Option(help: "The e-mail address.") var email: String
        @Option(help: "The name to show.") var name: String?

        func run() async throws {
            guard let address = EmailAddress(email) else { throw ValidationError("\(email) is no e-mail address.") }
            try await Operator.run(options) { configuration, pool in
                let hash = try await Self.readPassword(configuration, address)
                let id = UUID.v7(at: Date(), random: .system)
                let made = try await AccountStore(pool: pool).create(
                    id, address: address, displayName: name, passwordHash: hash, requestID: Operator.requestID)
                guard made == .created else { throw Failure("Another account has proved that address.") }
                Console.write(id.text)
            }
        }

        private static func readPassword(_ configuration: GatewayConfiguration, _ address: EmailAddress) async throws
            -> String
        {
            guard let password = readLine(strippingNewline: true), !password.isEmpty else {
                throw ValidationError(
                    "A password is needed on standard input, for example: printf '%s' \"$password\" | gateway accounts create …"
                )
            }
            let policy = PasswordPolicy(minimumLength: configuration.passwords.minimumLength)
            if let complaint = policy.complaint(password, address: address) {
                throw Failure(ErrorCatalogue[complaint.rawValue]?.title ?? complaint.rawValue)
            }
            let hasher = PasswordHasher(parameters: configuration.passwords.parameters, threads: 1, queueLimit: 1)
            defer { hasher.shutdown() }
            return try await hasher.hash(PasswordPolicy.normalised(password))
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show an account with its identities.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var named: Named

        func run() async throws {
            try await Operator.run(options) { _, pool in
                let store = AccountStore(pool: pool)
                let id = try await named.find(store)
                guard let (account, status) = try await store.summary(id) else {
                    throw Failure("There is no such account.")
                }
                Console.write("account   \(account.id.text)  \(status)")
                Console.write("name      \(account.displayName ?? "-")")
                Console.write("email     \(account.email ?? "-")  \(account.emailVerified ? "proved" : "not proved")")
                Console.write("created   \(account.createdAt.formatted(.iso8601))")
                for (address, since) in try await store.undeliverable(id) {
                    Console.write("bounced   \(address)  nothing gets there since \(since.formatted(.iso8601))")
                }
                for identity in try await store.identities(id) {
                    Console.write(
                        "identity  \(identity.provider)  \(identity.subject)  linked \(identity.linkedAt.formatted(.iso8601))"
                    )
                }
            }
        }
    }

    struct Disable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shut an account: its sessions end everywhere within a second, and nobody signs in to it.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var named: Named
        @Option(help: "Why; kept in the audit log.") var reason: String

        func run() async throws {
            try await AccountsCommand.setStatus("disabled", named, reason, options)
        }
    }

    struct Enable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Open a disabled account again; ended sessions stay ended.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var named: Named
        @Option(help: "Why; kept in the audit log.") var reason: String

        func run() async throws {
            try await AccountsCommand.setStatus("active", named, reason, options)
        }
    }

    private static func setStatus(_ status: String, _ named: Named, _ reason: String, _ options: ConfigurationOptions)
        async throws
    {
        try await Operator.run(options) { _, pool in
            let store = AccountStore(pool: pool)
            let id = try await named.find(store)
            guard try await store.setStatus(status, of: id, reason: reason, requestID: Operator.requestID) else {
                throw Failure("There is no such account, or it is \(status) already.")
            }
            Console.write("\(id.text) is \(status)")
        }
    }
}
