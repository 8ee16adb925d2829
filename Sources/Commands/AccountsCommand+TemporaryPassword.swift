import Accounts
import ArgumentParser
import Cryptography
import GatewaySettings
import Operators
import Telemetry

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
}
