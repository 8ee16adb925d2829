import Admin
import ArgumentParser
import Foundation
import JSON

/// Finding accounts and reading what happened to them.
extension AccountsCommand {
    struct Search: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Find accounts.",
            discussion:
                "By the beginning of an address, number (+49…) or name, or by any id: account, session, identity, a provider's subject."
        )

        @OptionGroup var options: ConfigurationOptions
        @Argument(help: "What to look for; without it the newest accounts.") var text = ""
        @Option(help: "At most so many, 1 to 100.") var limit = 25
        @Option(help: "Where the page before ended.") var cursor: String?
        @Flag(help: "As JSON, one account a line.") var json = false

        func run() async throws {
            let after = cursor.map { SearchCursor($0) }
            if case .some(nil) = after { throw ValidationError("That is no cursor of a page before.") }
            try await Operator.serve(options) { services, actor in
                let page = try await services.search.page(text, after: after ?? nil, limit: limit, by: actor)
                for account in page.accounts { Console.write(json ? account.text : AccountLine.text(account)) }
                if let next = page.next, !json { Console.write("More: --cursor \(next)") }
            }
        }
    }

    struct Suggest: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show which other accounts may be the same person's, and why.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var named: Named

        func run() async throws {
            try await Operator.serve(options) { services, actor in
                let account = try await services.records.account(named: named.account, by: actor)
                for other in try await services.records.suggestions(account, by: actor).array ?? [] {
                    Console.write("\(other["strength"]?.string ?? "")  \(AccountLine.text(other))")
                    for fact in other["facts"]?.array ?? [] {
                        let proofs =
                            "proved here: \(AccountLine.answer(fact["proved_here"])), there: \(AccountLine.answer(fact["proved_there"]))"
                        Console.write("    \(fact["fact"]?.string ?? "")  \(fact["value"]?.string ?? "")  \(proofs)")
                    }
                }
            }
        }
    }

    struct History: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show what happened to an account, newest first.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var named: Named
        @Option(help: "At most so many, 1 to 200.") var limit = 50
        @Flag(help: "As JSON, one event a line.") var json = false

        func run() async throws {
            try await Operator.serve(options) { services, actor in
                let account = try await services.records.account(named: named.account, by: actor)
                let events = try await services.records.history(account, before: nil, limit: limit, by: actor)
                for event in events.array ?? [] { Console.write(json ? event.text : AccountLine.event(event)) }
            }
        }
    }
}

/// An account or event in one line of a terminal.
enum AccountLine {
    static func text(_ account: JSON) -> String {
        let parts: [String?] = [
            account["id"]?.string, account["status"]?.string, account["display_name"]?.string ?? "-",
            account["email"]?.string ?? account["phone"]?.string ?? account["user_name"]?.string ?? "-",
            (account["providers"]?.array ?? []).compactMap(\.string).joined(separator: ","),
        ]
        return parts.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "  ")
    }

    static func event(_ event: JSON) -> String {
        let parts: [String?] = [
            event["at"]?.string, event["action"]?.string, event["outcome"]?.string == "refused" ? "refused" : nil,
            event["reason"]?.string, event["provider"]?.string, event["client_id"]?.string, event["address"]?.string,
            event["actor_id"]?.string.map { "by \($0)" }, event["words"]?.string.map { "\"\($0)\"" },
        ]
        return parts.compactMap { $0 }.joined(separator: "  ")
    }

    static func answer(_ json: JSON?) -> String { json?.bool == true ? "yes" : "no" }
}
