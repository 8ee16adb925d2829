import Admin
import ArgumentParser
import Foundation
import JSON

/// Joining, dividing and moving, as the console does it.
extension AccountsCommand {
    struct Merge: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Join two accounts.",
            discussion:
                "Everything that lets somebody into the second account goes to the first; the second is closed. It can be undone for seven days."
        )

        @OptionGroup var options: ConfigurationOptions
        @Argument(help: "The account that stays: id or proved address.") var kept: String
        @Argument(help: "The account that is absorbed: id or proved address.") var absorbed: String
        @Flag(help: "Only show what would be.") var dryRun = false
        @OptionGroup var why: ReasonOption

        func run() async throws {
            try await Operator.serve(options) { services, actor in
                let into = try await services.records.account(named: kept, by: actor)
                let from = try await services.records.account(named: absorbed, by: actor)
                let preview = try await services.merging.previewMerge(of: from, into: into, by: actor)
                Console.write(preview.facts.text)
                guard !dryRun, let digest = preview.digest else { return }
                let done = try await services.merging.merge(
                    from, into: into, expecting: digest, because: why.reason(), by: actor)
                Console.write("Merged. To take it back: gateway accounts undo \(done.change?.text ?? "")")
            }
        }
    }

    struct Split: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Give some of what lets somebody into an account to a new one.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var named: Named
        @Option(help: "An identity's id; may come several times.") var identity: [String] = []
        @Option(help: "An address; may come several times.") var email: [String] = []
        @Option(help: "A number; may come several times.") var phone: [String] = []
        @Option(help: "A passkey's id; may come several times.") var passkey: [String] = []
        @Option(help: "A second factor's id; may come several times.") var factor: [String] = []
        @Flag(help: "The password too.") var password = false
        @Flag(help: "Only show what would be.") var dryRun = false
        @OptionGroup var why: ReasonOption

        func run() async throws {
            let list: ([String]) -> JSON = { .array($0.map(JSON.string)) }
            let sent: JSONObject = [
                "identities": list(identity), "emails": list(email), "phones": list(phone), "passkeys": list(passkey),
                "factors": list(factor), "password": .bool(password),
            ]
            try await Operator.serve(options) { services, actor in
                let account = try await named.find(services, actor)
                let (report, new) = try await services.merging.split(
                    account, giving: SplitItems(sent), dryRun: dryRun, because: why.reason(), by: actor)
                Console.write(report.facts.text)
                guard let change = report.change else { return }
                Console.write("The new account: \(new.text). To take it back: gateway accounts undo \(change.text)")
            }
        }
    }

    struct Undo: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take back a merge, split, move, link or unlink.",
            discussion: "For seven days, as long as nothing that it touched was changed since.")

        @OptionGroup var options: ConfigurationOptions
        @Argument(help: "The change's id, as it was printed; accounts show lists them.") var change: String
        @OptionGroup var why: ReasonOption

        func run() async throws {
            guard let id = UUID(uuidString: change) else { throw ValidationError("\(change) is no id.") }
            try await Operator.serve(options) { services, actor in
                try await services.merging.undo(id, because: why.reason(), by: actor)
            }
        }
    }
}
