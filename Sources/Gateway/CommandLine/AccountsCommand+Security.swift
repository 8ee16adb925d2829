import Accounts
import Admin
import ArgumentParser
import Cryptography
import Foundation
import JSON

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
        @OptionGroup var why: ReasonOption

        func run() async throws {
            let configuration = try options.load()
            // 80 bits in letters and digits that can be read out.
            let password = Base32.encode(RandomBytes.system(10)).lowercased()
            let hasher = PasswordHasher(parameters: configuration.passwords.parameters, threads: 1, queueLimit: 1)
            defer { hasher.shutdown() }
            let hash = try await hasher.hash(PasswordPolicy.normalised(password))
            try await Operator.serve(options) { services, actor in
                let account = try await named.find(services, actor)
                try await services.care.setTemporaryPassword(hash: hash, of: account, because: why.reason(), by: actor)
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
        @OptionGroup var why: ReasonOption

        func run() async throws {
            try await Operator.serve(options) { services, actor in
                let account = try await named.find(services, actor)
                try await services.care.requireReset(account, because: why.reason(), by: actor)
                Console.write("\(account.text) needs a new password")
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
        @OptionGroup var why: ReasonOption

        func run() async throws {
            try await Operator.serve(options) { services, actor in
                let account = try await named.find(services, actor)
                try await services.care.demandSecondFactor(!off, of: account, because: why.reason(), by: actor)
                Console.write("\(account.text) \(off ? "needs no second factor" : "needs a second factor")")
            }
        }
    }

    struct RemoveFactors: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove-factors",
            abstract:
                "Remove every second factor of somebody who lost them, after the time in which that can be taken back.",
            discussion: """
                Factors, passkeys, recovery codes and remembered devices go, and every session ends. The account's addresses \
                are told at once. It waits FACTOR_REMOVAL_HOURS; signing in with a second factor, or keeping them on the \
                account page, takes it back.
                """)

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var named: Named
        @Flag(help: "Don't wait.") var now = false
        @OptionGroup var why: ReasonOption

        func run() async throws {
            try await Operator.serve(options) { services, actor in
                let account = try await named.find(services, actor)
                let due = try await services.care.removeFactors(
                    of: account, now: now, because: why.reason(), by: actor)
                Console.write(
                    "\(account.text) has no second factor" + (due.map { " from \(RFC3339.text($0)) on" } ?? ""))
            }
        }
    }

    struct KeepFactors: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "keep-factors", abstract: "Keep the second factors whose removal waits; their person is told.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var named: Named
        @OptionGroup var why: ReasonOption

        func run() async throws {
            try await Operator.serve(options) { services, actor in
                let account = try await named.find(services, actor)
                try await services.care.keepFactors(of: account, because: why.reason(), by: actor)
                Console.write("\(account.text) keeps its second factors")
            }
        }
    }
}
