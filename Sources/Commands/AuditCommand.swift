import ArgumentParser
import Audit
import Foundation
import Postgres
import Settings

/// `gateway audit …`.
struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Read, verify, export and prune the audit log.",
        subcommands: [List.self, Export.self, Verify.self, Prune.self])

    /// Filters for audit rows.
    struct Filter: ParsableArguments {
        @Option(help: "The id of the affected account.") var account: String?
        @Option(help: "The account id of the acting operator.") var actor: String?
        @Option(help: "The action, such as signed_in.") var action: String?
        @Option(help: "done or refused.", transform: Word.one(of: ["done", "refused"])) var outcome: String?
        @Option(help: "The reason code, such as invalid_credentials.") var reason: String?
        @Option(help: "The provider.") var provider: String?
        @Option(help: "The client id of the app.") var client: String?
        @Option(help: "The caller's network address.") var address: String?
        @Option(name: .customLong("reference"), help: "The reference of a request, as pages show it.")
        var requestID: String?
        @Option(help: "The session id.") var session: String?
        @Option(help: "The start, inclusive: 2026-07-31 or 2026-07-31T09:05:00Z.") var from: String?
        @Option(help: "The end, exclusive.") var to: String?
        @Flag(inversion: .prefixedNo, help: "Include the rows of what operators looked at or searched.")
        var views = true

        func validate() throws {
            for (name, text) in [("account", account), ("actor", actor), ("session", session)] {
                if let text, UUID(uuidString: text) == nil { throw ValidationError("--\(name) takes an id.") }
            }
            for (name, text) in [("from", from), ("to", to)] {
                if let text, Self.moment(text) == nil {
                    throw ValidationError("--\(name) takes a time such as 2026-07-31 or 2026-07-31T09:05:00Z.")
                }
            }
        }

        var filter: AuditFilter {
            var filter = AuditFilter()
            (filter.account, filter.actor) = (account.flatMap(UUID.init), actor.flatMap(UUID.init))
            (filter.action, filter.outcome, filter.reason) = (action, outcome, reason)
            (filter.provider, filter.client, filter.address) = (provider, client, address)
            (filter.requestID, filter.session) = (requestID, session.flatMap(UUID.init))
            (filter.from, filter.to) = (from.flatMap(Self.moment), to.flatMap(Self.moment))
            filter.views = views
            return filter
        }

        /// Refuses a word that nothing in the log has, after a search without a result.
        ///
        /// - Throws: `ValidationError` with the nearest word, or with a short list of the words.
        func requireKnownWords(_ pool: ConnectionPool) async throws {
            let log = AuditLog(pool: pool)
            let known = try await log.words()
            let clients: [String] = try await pool.query("select id from clients order by id") { try $0.value(0) }
            let filters: [(option: String, path: WritableKeyPath<AuditFilter, String?>, words: [String])] = [
                ("action", \.action, AuditEventNames.all + known.actions), ("reason", \.reason, known.reasons),
                ("provider", \.provider, known.providers), ("client", \.client, clients),
            ]
            for one in filters {
                guard let word = filter[keyPath: one.path], !one.words.contains(word) else { continue }
                // Counts have no reasons of successes, and agents are deleted.
                var alone = AuditFilter()
                alone[keyPath: one.path] = word
                guard try await log.page(alone, limit: 1).events.isEmpty else { continue }
                throw ValidationError("--\(one.option): no row has \(word).\(Self.choice(word, one.words))")
            }
        }

        private static func choice(_ word: String, _ known: [String]) -> String {
            let hint = NearestWord.hint(word, among: known)
            guard hint.isEmpty, (1...12).contains(known.count) else { return hint }
            return " Accepted: \(known.joined(separator: ", "))."
        }

        private static func moment(_ text: String) -> Date? {
            let day = Date.ISO8601FormatStyle().year().month().day()
            return (try? Date(text, strategy: .iso8601))
                ?? (try? Date(text, strategy: .iso8601.time(includingFractionalSeconds: true)))
                ?? (text.utf8.count == 10 ? try? Date(text, strategy: day) : nil)
        }
    }
}
