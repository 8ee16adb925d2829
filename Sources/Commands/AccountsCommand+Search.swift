import Accounts
import ArgumentParser
import Foundation
import JSON
import Operators
import Telemetry

/// Commands that find accounts and read their history.
extension AccountsCommand {
    struct Search: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Find accounts.",
            discussion:
                "Search by the beginning of an address, number (+49…) or name, or by an id: account, session, identity, provider subject."
        )

        @OptionGroup var options: ConfigurationOptions
        @Argument(help: "The search text. Default: list the newest accounts.") var text = ""
        @Option(help: "The maximum number of results, 1 to 100.") var limit = 25
        @Option(help: "The cursor of the next page.") var cursor: String?
        @Flag(help: "Print JSON, one account per line.") var json = false

        func run() async throws {
            let after = cursor.map { SearchCursor($0) }
            if case .some(nil) = after {
                throw ValidationError("--cursor takes a cursor that an earlier page printed.")
            }
            try await Operator.serve(options) { services, actor in
                let page = try await services.search.page(text, after: after ?? nil, limit: limit, by: actor)
                for account in page.accounts { Terminal.write(json ? account.text : AccountLine.text(account)) }
                if let next = page.next, !json { Terminal.write("More: --cursor \(next)") }
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show an account: its addresses, identities, factors, sessions, and changes that can be undone.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var named: Named
        @Flag(help: "Print everything as JSON.") var json = false

        func run() async throws {
            try await Operator.serve(options) { services, actor in
                let account = try await services.records.dossier(named.find(services, actor), by: actor)
                for line in json ? [account.text] : AccountLine.dossier(account) { Terminal.write(line) }
            }
        }
    }

    struct Suggest: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show other accounts that may belong to the same user, with the reasons.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var named: Named

        func run() async throws {
            try await Operator.serve(options) { services, actor in
                let account = try await named.find(services, actor)
                for other in try await services.records.suggestions(account, by: actor).array ?? [] {
                    Terminal.write("\(other["strength"]?.string ?? "")  \(AccountLine.text(other))")
                    for fact in other["facts"]?.array ?? [] {
                        let proofs =
                            "proved here: \(AccountLine.answer(fact["proved_here"])), there: \(AccountLine.answer(fact["proved_there"]))"
                        Terminal.write("    \(fact["fact"]?.string ?? "")  \(fact["value"]?.string ?? "")  \(proofs)")
                    }
                }
            }
        }
    }

    struct History: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show the history of an account, newest first.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var named: Named
        @Option(help: "The maximum number of events, 1 to 200.") var limit = 50
        @Flag(help: "Print JSON, one event per line.") var json = false

        func run() async throws {
            try await Operator.serve(options) { services, actor in
                let account = try await named.find(services, actor)
                let events = try await services.records.history(account, before: nil, limit: limit, by: actor)
                for event in events.array ?? [] { Terminal.write(json ? event.text : AccountLine.event(event)) }
            }
        }
    }
}
