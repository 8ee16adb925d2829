import Accounts
import ArgumentParser
import Cryptography
import Foundation
import GatewaySettings
import JSON
import Operators
import Telemetry

/// Commands that change the sign-in methods of an account.
extension AccountsCommand {
    struct TemporaryPassword: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "temporary-password",
            abstract: "Set a temporary password. It works for one sign-in, which asks for a new password.",
            discussion:
                "The password is generated and printed once. All sessions of the account end, and its addresses are notified."
        )

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var named: Named
        @OptionGroup var why: ReasonOption

        func run() async throws {
            let configuration = try options.load()
            let password = ProvisionedPasswords.temporary()
            let hasher = PasswordHasher(parameters: configuration.passwords.parameters, threads: 1, queueLimit: 1)
            defer { hasher.shutdown() }
            let verifiers = try await hasher.verifiers(of: password)
            try await Operator.serve(options) { services, actor in
                let account = try await named.find(services, actor)
                try await services.care.setPassword(
                    verifiers, isTemporary: true, of: account, because: why.reason(), by: actor)
                Terminal.write(password)
            }
        }
    }

    struct RequireReset: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "require-reset",
            abstract: "Invalidate the password. The next sign-in with it starts a reset by code.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var named: Named
        @OptionGroup var why: ReasonOption

        func run() async throws {
            try await Operator.serve(options) { services, actor in
                let account = try await named.find(services, actor)
                try await services.care.requireReset(account, because: why.reason(), by: actor)
                Terminal.write("\(account.text) needs a new password")
            }
        }
    }

    struct DemandSecondFactor: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "demand-second-factor",
            abstract: "Require a second factor at every sign-in. The user enrols one if the account has none.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var named: Named
        @Flag(help: "Stop requiring it.") var off = false
        @OptionGroup var why: ReasonOption

        func run() async throws {
            try await Operator.serve(options) { services, actor in
                let account = try await named.find(services, actor)
                try await services.care.demandSecondFactor(!off, of: account, because: why.reason(), by: actor)
                Terminal.write("\(account.text) \(off ? "needs no second factor" : "needs a second factor")")
            }
        }
    }

    struct RemoveFactors: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove-factors",
            abstract:
                "Remove all second factors of a user who lost them, after a waiting period.",
            discussion: """
                Factors, passkeys, recovery codes and remembered devices are removed, and every session ends. The \
                account's addresses are notified immediately. The removal happens after FACTOR_REMOVAL_HOURS. The user \
                cancels it by signing in with a second factor, or on the account page.
                """)

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var named: Named
        @Flag(help: "Skip the waiting period.") var now = false
        @OptionGroup var why: ReasonOption

        func run() async throws {
            try await Operator.serve(options) { services, actor in
                let account = try await named.find(services, actor)
                let due = try await services.care.removeFactors(
                    of: account, now: now, because: why.reason(), by: actor)
                Terminal.write(
                    "\(account.text) has no second factor" + (due.map { " from \(RFC3339.text($0)) on" } ?? ""))
            }
        }
    }

    struct KeepFactors: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "keep-factors", abstract: "Cancel a pending removal of second factors. The user is notified.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var named: Named
        @OptionGroup var why: ReasonOption

        func run() async throws {
            try await Operator.serve(options) { services, actor in
                let account = try await named.find(services, actor)
                try await services.care.keepFactors(of: account, because: why.reason(), by: actor)
                Terminal.write("\(account.text) keeps its second factors")
            }
        }
    }
}
