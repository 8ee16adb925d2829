import ArgumentParser
import Audit
import Cryptography
import Foundation
import JSON
import Postgres
import Telemetry

extension AuditCommand {
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show rows, newest first.",
            discussion: "Example: gateway audit list --account 01a1fe3f-ad60-7cc1-b0f3-6f3e6f1f2b1d --outcome refused")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var chosen: Filter
        @Option(help: "The maximum number of rows.") var limit = 50

        func validate() throws {
            guard limit > 0 else { throw ValidationError("--limit takes a number above 0.") }
        }

        func run() async throws {
            try await Operator.run(options) { _, pool in
                let log = AuditLog(pool: pool)
                var (left, cursor): (Int, AuditCursor?) = (limit, nil)
                repeat {
                    let page = try await log.page(
                        chosen.filter, before: cursor, limit: min(left, AuditLog.largestPage))
                    for event in page.events { Terminal.write(Self.line(event)) }
                    left -= page.events.count
                    cursor = page.next
                } while left > 0 && cursor != nil
            }
        }

        /// The members of a row that are not null.
        ///
        /// Control characters are replaced, because callers supply some texts.
        static func line(_ event: AuditEvent) -> String {
            let members: [(String, String?)] = [
                ("reason", event.reason), ("account", event.accountID?.text), ("actor", event.actorID?.text),
                ("words", event.words),
                ("session", event.sessionID?.text), ("client", event.clientID), ("provider", event.provider),
                ("address", event.address), ("reference", event.requestID), ("detail", event.detail),
            ]
            let named = members.compactMap { name, text in text.map { "\(name)=\($0)" } }
            let first = ["\(event.id)", event.at.formatted(.iso8601), event.outcome, event.action]
            return String(
                String.UnicodeScalarView((first + named).joined(separator: "  ").unicodeScalars.map(Self.shown)))
        }

        private static func shown(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
            scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar
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
        @Option(help: "csv or jsonl.") var format = AuditFormat.csv
        @Option(help: ArgumentHelp("The new file to write. Default: standard output.", valueName: "path"))
        var output: String?

        func run() async throws {
            try await Operator.run(options) { _, pool in
                let file = try opened()
                try file.write(contentsOf: Data(format.opening.utf8))
                var count = 0
                for try await events in AuditLog(pool: pool).export(chosen.filter) {
                    try file.write(contentsOf: Data(format.text(events).utf8))
                    count += events.count
                }
                Terminal.complain("\(count) rows")
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

extension AuditFormat: ExpressibleByArgument {}
