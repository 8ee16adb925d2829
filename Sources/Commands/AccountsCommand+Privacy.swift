import Accounts
import ArgumentParser
import Foundation
import JSON
import Operators
import Telemetry
import Vocabulary

/// Commands that delete an account or export its data.
extension AccountsCommand {
    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Delete an account and its data, after a period in which the deletion can be cancelled.",
            discussion: """
                Its sessions end immediately, and its addresses are notified. After ACCOUNT_DELETION_DAYS the account is \
                deleted; until then it is disabled, and cancel-deletion keeps it. The audit log keeps the account id.
                """)

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var named: Named
        @Flag(help: "Skip the waiting period.") var now = false
        @OptionGroup var why: ReasonOption

        func run() async throws {
            try await Operator.serve(options) { services, actor in
                let account = try await named.find(services, actor)
                let waits = try await services.leaving.delete(account, now: now, because: why.reason(), by: actor)
                Terminal.write("\(account.text) is deleted" + (waits.map { " on \(RFC3339.text($0.dueAt))" } ?? ""))
            }
        }
    }

    struct CancelDeletion: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "cancel-deletion",
            abstract: "Cancel a deletion by an operator or a back end. The account's addresses are notified.",
            discussion: "Only the user cancels a deletion that they asked for, on the account page.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var named: Named
        @OptionGroup var why: ReasonOption

        func run() async throws {
            try await Operator.serve(options) { services, actor in
                let account = try await named.find(services, actor)
                try await services.leaving.cancelDeletion(of: account, because: why.reason(), by: actor)
                Terminal.write("\(account.text) stays")
            }
        }
    }

    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Export all data of an account, as one JSON document.",
            discussion: "The export contains no secret, hash or token. The audit log records it.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var named: Named
        @OptionGroup var why: ReasonOption
        @Option(help: ArgumentHelp("The new file to write. Default: standard output.", valueName: "path"))
        var output: String?

        /// The time limit for reading a long history.
        private static let patience = Duration.seconds(600)

        func run() async throws {
            try await Operator.serve(options) { services, actor in
                let account = try await named.find(services, actor)
                try await services.leaving.export(
                    account, to: try opened(), timeout: Self.patience, because: why.reason(), by: actor)
            }
        }

        /// A new file, readable by its owner only.
        private func opened() throws -> SpoolFile {
            guard let output else { return SpoolFile(.standardOutput) }
            do {
                return SpoolFile(try OutputFile.handle(for: output))
            } catch {
                throw Failure(error.text)
            }
        }
    }
}
