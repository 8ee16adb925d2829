import Accounts
import ArgumentParser
import Foundation
import GatewaySettings
import JSON
import Operators

/// Commands that merge and split accounts and undo changes, as in the console.
extension AccountsCommand {
    struct Merge: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Merge two accounts.",
            discussion:
                "All sign-in methods of the second account move to the first. The second is closed. You can undo this for seven days."
        )

        @OptionGroup var options: ConfigurationOptions
        @Argument(help: "The account to keep: id or proved address.") var kept: String
        @Argument(help: "The account to merge into it: id or proved address.") var absorbed: String
        @Flag(help: "Only show the result.") var dryRun = false
        @OptionGroup var why: ReasonOption
        @OptionGroup var consent: Confirmation
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let effect = "\(absorbed) is closed. You can undo this for seven days."
            if !dryRun { try consent.requireMeans(effect) }
            try await Operator.serve(options, for: .signInMethods) { services, actor in
                let into = try await Named.find(kept, services, actor)
                let from = try await Named.find(absorbed, services, actor)
                let preview = try await services.merging.previewMerge(of: from, into: into, by: actor)
                let shown = PartsPreview(
                    merge: preview.facts, try await services.records.dossier(into, by: actor),
                    try await services.records.dossier(from, by: actor))
                if dryRun || !output.json { shown.write(output) }
                guard !dryRun, let digest = preview.digest else { return }
                try consent.require(effect, of: "the merge")
                let done = try await services.merging.merge(
                    from, into: into, expecting: digest, because: why.reason(), by: actor)
                let change = done.change?.text ?? ""
                output.report(
                    "Merged \(absorbed) into \(kept). To undo: gateway accounts undo \(change)",
                    ["change": .string(change)])
            }
        }
    }

    struct Split: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Split an account: move some of its sign-in methods to a new one.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var named: Named
        @Option(help: "An identity's id. Repeatable.") var identity: [String] = []
        @Option(help: "An address. Repeatable.") var email: [String] = []
        @Option(help: "A number. Repeatable.") var phone: [String] = []
        @Option(help: "A passkey's id. Repeatable.") var passkey: [String] = []
        @Option(help: "A second factor's id. Repeatable.") var factor: [String] = []
        @Flag(help: "Move the password too.") var password = false
        @Flag(help: "Only show the result.") var dryRun = false
        @OptionGroup var why: ReasonOption
        @OptionGroup var consent: Confirmation
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let effect = "A new account gets what moves. You can undo this for seven days."
            if !dryRun { try consent.requireMeans(effect) }
            let list: ([String]) -> JSON = { .array($0.map(JSON.string)) }
            let sent: JSONObject = [
                "identities": list(identity), "emails": list(email), "phones": list(phone), "passkeys": list(passkey),
                "factors": list(factor), "password": .bool(password),
            ]
            try await Operator.serve(options, for: .signInMethods) { services, actor in
                let account = try await named.find(services, actor)
                let before = try await services.records.dossier(account, by: actor)
                func split(isDry: Bool) async throws -> (report: AccountMerging.Report, newAccount: UUID) {
                    let made = try await services.merging.split(
                        account, giving: SplitItems(sent), dryRun: isDry, because: why.reason(), by: actor)
                    let isShown = isDry ? dryRun || !output.json : consent.isGiven && !output.json
                    if isShown { PartsPreview(split: made.report.facts, before).write(output) }
                    return made
                }
                if dryRun || !consent.isGiven { _ = try await split(isDry: true) }
                guard !dryRun else { return }
                try consent.require(effect, of: "the split")
                let (report, new) = try await split(isDry: false)
                let change = report.change?.text ?? ""
                output.report(
                    "The new account: \(new.text). To undo: gateway accounts undo \(change)",
                    ["account": .string(new.text), "change": .string(change)])
            }
        }
    }

    struct Undo: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Undo a merge, split, move, link or unlink.",
            discussion: "Possible for seven days, unless the affected items have changed since.")

        @OptionGroup var options: ConfigurationOptions
        @Argument(help: "The id of the change. accounts show lists them.") var change: String
        @OptionGroup var why: ReasonOption
        @OptionGroup var output: OutputOptions

        func run() async throws {
            guard let id = UUID(uuidString: change) else { throw ValidationError("\(change) is not an id.") }
            try await Operator.serve(options, for: .signInMethods) { services, actor in
                let accounts = try await services.merging.undo(id, because: why.reason(), by: actor).map(\.text)
                output.report(
                    "Undone. The accounts: \(accounts.joined(separator: ", "))",
                    ["accounts": .array(accounts.map(JSON.string))])
            }
        }
    }
}
