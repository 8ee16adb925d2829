import Accounts
import ArgumentParser
import GatewaySettings
import JSON
import Operators

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
        @OptionGroup var output: OutputOptions

        func validate() throws { try Limit.require(limit, in: 1...100) }

        func run() async throws {
            let after = cursor.map { SearchCursor($0) }
            if case .some(nil) = after {
                throw ValidationError("--cursor takes a cursor that an earlier page printed.")
            }
            try await Operator.serve(options, for: .records) { services, actor in
                let page = try await services.search.page(text, after: after ?? nil, limit: limit, by: actor)
                output.write(AccountRows.columns, page.accounts)
                output.offer(next: page.next.map { "\($0)" })
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show an account: its addresses, identities, factors, sessions, and changes that can be undone.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var named: Named
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await Operator.serve(options, for: .records) { services, actor in
                let account = try await services.records.dossier(named.find(services, actor), by: actor)
                output.write(AccountRows.columnsOfParts, output.json ? [account] : AccountRows.parts(account))
            }
        }
    }

    struct Suggest: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show other accounts that may belong to the same user, with the reasons.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var named: Named
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await Operator.serve(options, for: .records) { services, actor in
                let account = try await named.find(services, actor)
                let others = try await services.records.suggestions(account, by: actor).array ?? []
                output.write(
                    ["strength", "fact", "value", "proved_here", "proved_there"] + AccountRows.columns,
                    output.json ? others : AccountRows.suggestions(others))
            }
        }
    }

    struct History: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show the history of an account, newest first.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var named: Named
        @Option(help: "The maximum number of events, 1 to 200.") var limit = 50
        @OptionGroup var output: OutputOptions

        func validate() throws { try Limit.require(limit, in: 1...200) }

        func run() async throws {
            try await Operator.serve(options, for: .records) { services, actor in
                let account = try await named.find(services, actor)
                let events = try await services.records.history(account, before: nil, limit: limit, by: actor)
                output.write(AccountRows.columnsOfEvents, events.array ?? [])
            }
        }
    }
}
