import Accounts
import ArgumentParser
import Foundation
import JSON
import Operators
import Telemetry

/// Commands that move, link and unlink identities.
extension AccountsCommand {
    struct Move: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Move an identity to another account.")

        @OptionGroup var options: ConfigurationOptions
        @Argument(help: "The identity's owner: account id or proved address.") var account: String
        @Argument(help: "The identity's id.") var identity: String
        @Argument(help: "The new owner: account id or proved address.") var target: String
        @OptionGroup var why: ReasonOption

        func run() async throws {
            guard let id = UUID(uuidString: identity) else { throw ValidationError("\(identity) is not an id.") }
            try await Operator.serve(options) { services, actor in
                let change = try await services.moves.move(
                    id, from: try await services.records.account(named: account, by: actor),
                    to: try await services.records.account(named: target, by: actor), because: why.reason(), by: actor)
                Terminal.write("Moved. To undo: gateway accounts undo \(change.text)")
            }
        }
    }

    struct Link: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Link an unknown identity to an account.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var named: Named
        @Option(help: "The provider's id, such as apple.") var provider: String
        @Option(help: "The realm: Apple team, Microsoft tenant or issuer. See docs/architecture.md.") var realm: String
        @Option(help: "The provider's user id.") var subject: String
        @OptionGroup var why: ReasonOption

        func run() async throws {
            try await Operator.serve(options) { services, actor in
                let change = try await services.moves.link(
                    .init(provider: provider, realm: realm, subject: subject),
                    to: try await named.find(services, actor), because: why.reason(),
                    by: actor)
                Terminal.write("Linked. To undo: gateway accounts undo \(change.text)")
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
            guard let id = UUID(uuidString: identity) else { throw ValidationError("\(identity) is not an id.") }
            try await Operator.serve(options) { services, actor in
                let change = try await services.moves.unlink(
                    id, from: try await named.find(services, actor),
                    because: why.reason(), by: actor)
                Terminal.write("Unlinked. To undo: gateway accounts undo \(change.text)")
            }
        }
    }
}
