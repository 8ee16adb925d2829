import ArgumentParser
import Audit
import Foundation
import GatewaySettings
import Telemetry

extension AuditCommand {
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show rows, newest first.",
            discussion: "Example: gateway audit list --account 01a1fe3f-ad60-7cc1-b0f3-6f3e6f1f2b1d --outcome refused")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var chosen: Filter
        @Option(help: "The maximum number of rows.") var limit = 50
        @OptionGroup var output: OutputOptions

        private static let columns = [
            "id", "at", "outcome", "action", "reason", "account_id", "actor_id", "words", "session_id", "client_id",
            "provider", "address", "request_id", "detail",
        ]

        func validate() throws {
            guard limit > 0 else { throw ValidationError("--limit takes a number above 0.") }
        }

        func run() async throws {
            try await Operator.run(options, for: .database) { _, pool in
                let log = AuditLog(pool: pool)
                var (left, cursor): (Int, AuditCursor?) = (limit, nil)
                repeat {
                    let page = try await log.page(
                        chosen.filter, before: cursor, limit: min(left, AuditLog.largestPage))
                    if !page.events.isEmpty { output.write(Self.columns, page.events.map(\.json)) }
                    left -= page.events.count
                    cursor = page.next
                } while left > 0 && cursor != nil
                if left == limit { try await chosen.requireKnownWords(pool) }
            }
        }
    }

    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Export rows for other programs, oldest first.",
            discussion: """
                In CSV, cells that a spreadsheet would read as a formula begin with an apostrophe. JSON lines contain the \
                texts unchanged.

                Example: gateway audit export --format jsonl --from 2026-07-01 --to 2026-08-01 --output july.jsonl
                """)

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var chosen: Filter
        @Option(help: "csv or jsonl.", transform: Word.one(of: AuditFormat.self)) var format = AuditFormat.csv
        @Option(help: ArgumentHelp("The new file to write. Default: standard output.", valueName: "path"))
        var output: String?

        func run() async throws {
            try await Operator.run(options, for: .database) { _, pool in
                let file = try opened()
                try file.write(contentsOf: Data(format.opening.utf8))
                var count = 0
                for try await events in AuditLog(pool: pool).export(chosen.filter) {
                    try file.write(contentsOf: Data(format.text(events).utf8))
                    count += events.count
                }
                Terminal.complain("\(count) rows")
                if count == 0 { try await chosen.requireKnownWords(pool) }
            }
        }

        /// Readable by its owner only, because it contains personal data.
        private func opened() throws -> FileHandle {
            guard let output else { return .standardOutput }
            do {
                return try OutputFile.handle(for: output)
            } catch {
                Terminal.complain(error.text)
                throw ExitStatus.cannotCreate
            }
        }
    }
}
