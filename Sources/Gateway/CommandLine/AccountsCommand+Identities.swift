import Admin
import ArgumentParser
import Foundation
import JSON

/// Moving, linking and unlinking what a provider vouches for.
extension AccountsCommand {
    struct Move: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Give an identity to another account.")

        @OptionGroup var options: ConfigurationOptions
        @Argument(help: "The account that has it: id or proved address.") var account: String
        @Argument(help: "The identity's id.") var identity: String
        @Argument(help: "The account that gets it: id or proved address.") var target: String
        @OptionGroup var why: ReasonOption

        func run() async throws {
            guard let id = UUID(uuidString: identity) else { throw ValidationError("\(identity) is no id.") }
            try await Operator.serve(options) { services, actor in
                let change = try await services.moves.move(
                    id, from: try await services.records.account(named: account, by: actor),
                    to: try await services.records.account(named: target, by: actor), because: why.reason(), by: actor)
                Console.write("Moved. To take it back: gateway accounts undo \(change.text)")
            }
        }
    }

    struct Link: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Link an identity that nobody has.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var named: Named
        @Option(help: "The provider's id, such as apple.") var provider: String
        @Option(help: "Apple's team, Microsoft's tenant, the issuer: see docs/architecture.md.") var realm: String
        @Option(help: "Who it is there.") var subject: String
        @OptionGroup var why: ReasonOption

        func run() async throws {
            try await Operator.serve(options) { services, actor in
                let change = try await services.moves.link(
                    .init(provider: provider, realm: realm, subject: subject),
                    to: try await named.find(services, actor), because: why.reason(),
                    by: actor)
                Console.write("Linked. To take it back: gateway accounts undo \(change.text)")
            }
        }
    }

    struct Unlink: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Unlink an identity.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var named: Named
        @Argument(help: "The identity's id.") var identity: String
        @OptionGroup var why: ReasonOption

        func run() async throws {
            guard let id = UUID(uuidString: identity) else { throw ValidationError("\(identity) is no id.") }
            try await Operator.serve(options) { services, actor in
                let change = try await services.moves.unlink(
                    id, from: try await named.find(services, actor),
                    because: why.reason(), by: actor)
                Console.write("Unlinked. To take it back: gateway accounts undo \(change.text)")
            }
        }
    }
}
