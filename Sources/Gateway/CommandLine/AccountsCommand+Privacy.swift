import Accounts
import Admin
import ArgumentParser
import Foundation
import JSON

/// What an operator does where somebody wants to leave, or to know what is held.
extension AccountsCommand {
    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Delete an account, with everything in it, after the time in which that can be taken back.",
            discussion: """
                Its sessions end at once and its addresses are told. It waits ACCOUNT_DELETION_DAYS, in which its person \
                can sign in and keep it, and then every server deletes it. The audit log stays and names it by its id.
                """)

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var named: Named
        @Flag(help: "Don't wait.") var now = false
        @OptionGroup var why: ReasonOption

        func run() async throws {
            try await Operator.serve(options) { services, actor in
                let account = try await named.find(services, actor)
                let waits = try await services.leaving.delete(account, now: now, because: why.reason(), by: actor)
                Console.write("\(account.text) is deleted" + (waits.map { " on \(RFC3339.text($0.dueAt))" } ?? ""))
            }
        }
    }

    struct CancelDeletion: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "cancel-deletion", abstract: "Keep an account whose deletion waits; its addresses are told.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var named: Named
        @OptionGroup var why: ReasonOption

        func run() async throws {
            try await Operator.serve(options) { services, actor in
                let account = try await named.find(services, actor)
                try await services.leaving.cancelDeletion(of: account, because: why.reason(), by: actor)
                Console.write("\(account.text) stays")
            }
        }
    }

    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write everything that is held about a person, as one JSON document.",
            discussion: "No secret, hash or token is in it. The audit log notes that it was written.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var named: Named
        @OptionGroup var why: ReasonOption
        @Option(help: ArgumentHelp("Where to write it, a new file; else to standard output.", valueName: "path"))
        var output: String?

        /// A long history may take this long to read.
        private static let patience = Duration.seconds(600)

        func run() async throws {
            try await Operator.serve(options) { services, actor in
                let account = try await named.find(services, actor)
                try await services.leaving.export(
                    account, to: try opened(), timeout: Self.patience, because: why.reason(), by: actor)
            }
        }

        /// A new file that nobody else may read.
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
