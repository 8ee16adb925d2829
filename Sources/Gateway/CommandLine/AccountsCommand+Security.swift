import Accounts
import ArgumentParser
import Cryptography
import Foundation
import Postgres

/// What an operator does about how an account is opened.
extension AccountsCommand {
    struct TemporaryPassword: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "temporary-password",
            abstract: "Give an account a password that is good for one sign-in, in which its owner chooses another.",
            discussion:
                "It is made here and printed once. Every session of the account ends, and its addresses are told.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var named: Named

        func run() async throws {
            try await Operator.run(options) { configuration, pool in
                let store = AccountStore(pool: pool)
                let id = try await named.find(store)
                // 80 bits in letters and digits that can be read out.
                let password = Base32.encode(RandomBytes.system(10)).lowercased()
                let hasher = PasswordHasher(parameters: configuration.passwords.parameters, threads: 1, queueLimit: 1)
                defer { hasher.shutdown() }
                let hash = try await hasher.hash(PasswordPolicy.normalised(password))
                try await AccountsCommand.setPassword("temporary", hash, of: id, store)
                Console.write(password)
            }
        }
    }

    struct RequireReset: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "require-reset",
            abstract: "End an account's password: the next sign-in with it leads to a reset by a code.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var named: Named

        func run() async throws {
            try await Operator.run(options) { _, pool in
                let store = AccountStore(pool: pool)
                let id = try await named.find(store)
                try await AccountsCommand.setPassword("reset_required", nil, of: id, store)
                Console.write("\(id.text) needs a new password")
            }
        }
    }

    struct DemandSecondFactor: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "demand-second-factor",
            abstract: "Want two factors from an account at every sign-in; one that has none sets it up on the way.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var named: Named
        @Flag(help: "Want it no longer.") var off = false

        func run() async throws {
            try await Operator.run(options) { _, pool in
                let store = AccountStore(pool: pool)
                let id = try await named.find(store)
                guard try await store.demandSecondFactor(!off, of: id, requestID: Operator.requestID) else {
                    throw Failure("There is no such account, or it is disabled.")
                }
                Console.write("\(id.text) \(off ? "needs no second factor" : "needs a second factor")")
            }
        }
    }

    private static func setPassword(_ state: String, _ hash: String?, of id: UUID, _ store: AccountStore) async throws {
        guard try await store.setPassword(state: state, hash: hash, of: id, requestID: Operator.requestID) else {
            throw Failure("There is no such account, or it is disabled.")
        }
    }
}
