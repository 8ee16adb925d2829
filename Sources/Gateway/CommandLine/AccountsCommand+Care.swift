import Admin
import ArgumentParser
import Foundation
import JSON

/// What helps a person without touching whose the account is.
extension AccountsCommand {
    struct Disable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shut an account: its sessions end everywhere within a second, and nobody signs in to it.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var named: Named
        @OptionGroup var why: ReasonOption

        func run() async throws {
            try await Operator.serve(options) { services, actor in
                let account = try await named.find(services, actor)
                try await services.care.set(enabled: false, account, because: why.reason(), by: actor)
                Console.write("\(account.text) is disabled")
            }
        }
    }

    struct Enable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Open a disabled account again; ended sessions stay ended.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var named: Named
        @OptionGroup var why: ReasonOption

        func run() async throws {
            try await Operator.serve(options) { services, actor in
                let account = try await named.find(services, actor)
                try await services.care.set(enabled: true, account, because: why.reason(), by: actor)
                Console.write("\(account.text) is active")
            }
        }
    }

    struct EndSessions: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "End every session of an account, or one.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var named: Named
        @Option(help: "This one alone.") var session: String?
        @OptionGroup var why: ReasonOption

        func run() async throws {
            let id = session.flatMap { UUID(uuidString: $0) }
            guard session == nil || id != nil else { throw ValidationError("That is no id of a session.") }
            try await Operator.serve(options) { services, actor in
                let account = try await named.find(services, actor)
                try await services.care.endSessions(id, of: account, because: why.reason(), by: actor)
            }
        }
    }

    struct RequireProof: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Want an address or number proved again.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var named: Named
        @Option(help: "The address or number.") var address: String
        @OptionGroup var why: ReasonOption

        func run() async throws {
            try await Operator.serve(options) { services, actor in
                let account = try await named.find(services, actor)
                try await services.care.requireProof(address, of: account, because: why.reason(), by: actor)
            }
        }
    }
}
