import Accounts
import ArgumentParser
import Foundation
import JSON
import Operators
import Telemetry

/// Commands that help a user and leave the owner of every identity unchanged.
extension AccountsCommand {
    struct Disable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Disable an account. Its sessions end within a second, and nobody can sign in to it.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var named: Named
        @OptionGroup var why: ReasonOption

        func run() async throws {
            try await Operator.serve(options) { services, actor in
                let account = try await named.find(services, actor)
                try await services.care.set(enabled: false, account, because: why.reason(), by: actor)
                Terminal.write("\(account.text) is disabled")
            }
        }
    }

    struct Enable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Enable a disabled account. Ended sessions stay ended.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var named: Named
        @OptionGroup var why: ReasonOption

        func run() async throws {
            try await Operator.serve(options) { services, actor in
                let account = try await named.find(services, actor)
                try await services.care.set(enabled: true, account, because: why.reason(), by: actor)
                Terminal.write("\(account.text) is active")
            }
        }
    }

    struct EndSessions: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "End all sessions of an account, or one.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var named: Named
        @Option(help: "End only this session.") var session: String?
        @OptionGroup var why: ReasonOption

        func run() async throws {
            let id = session.flatMap { UUID(uuidString: $0) }
            guard session == nil || id != nil else { throw ValidationError("--session takes a session id.") }
            try await Operator.serve(options) { services, actor in
                let account = try await named.find(services, actor)
                try await services.care.endSessions(id, of: account, because: why.reason(), by: actor)
            }
        }
    }

    struct RequireProof: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Require a new proof of an address or number.")

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
