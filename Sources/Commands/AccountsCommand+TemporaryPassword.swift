import Accounts
import ArgumentParser
import Cryptography
import GatewaySettings
import JSON
import Operators

/// The command that sets a temporary password: no operator may do that remotely.
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
        @OptionGroup var consent: Confirmation
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try consent.require("The password is replaced, and all sessions end.", of: named.account)
            let configuration = try options.load(for: .passwords)
            let password = ProvisionedPasswords.temporary()
            let hasher = PasswordHasher(parameters: configuration.passwords.parameters, threads: 1, queueLimit: 1)
            defer { hasher.shutdown() }
            let verifiers = try await hasher.verifiers(of: password)
            try await Operator.serve(options, for: .passwords) { services, actor in
                let account = try await named.find(services, actor)
                try await services.care.setPassword(
                    verifiers, isTemporary: true, of: account, because: why.reason(), by: actor)
                output.report(
                    """
                    Temporary password of \(named.account), shown once: \(password)
                    Its sessions have ended. The next sign-in asks for a new password.
                    """,
                    ["account": .string(account.text), "password": .string(password)])
            }
        }
    }
}
