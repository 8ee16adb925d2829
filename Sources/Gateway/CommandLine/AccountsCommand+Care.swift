import Admin
import ArgumentParser
import Foundation

/// What helps a person without touching whose the account is.
extension AccountsCommand {
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
                let account = try await services.records.account(named: named.account, by: actor)
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
                let account = try await services.records.account(named: named.account, by: actor)
                try await services.care.requireProof(address, of: account, because: why.reason(), by: actor)
            }
        }
    }
}
