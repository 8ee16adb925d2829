import Accounts
import ArgumentParser
import Clients
import Cryptography
import Foundation
import GatewaySettings
import JSON
import OperatorAccess
import Postgres
import Telemetry

extension AccountsCommand {
    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Import accounts from another system, with their password hashes.",
            discussion: """
                The file contains one JSON object per line. docs/migration.md describes the members:

                {"id":"42","email":"ann@example.com","email_verified":true,"password_hash":"$2b$12$…"}

                Each transaction imports 500 lines and records the position. To resume a stopped import, run the same \
                command again. Invalid lines are skipped and counted; --report lists them with their reasons.

                Example: gateway accounts import --dry-run --report bad.jsonl users.jsonl

                Exit status: 65 if lines were skipped.
                """)

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var firebase: FirebaseOptions

        @Argument(help: "The file, or - for standard input (needs --run).")
        var file: String

        @Option(
            name: .customLong("run"),
            help: "The name of the import, to resume it. Default: a digest of the content.")
        var runName: String?

        @Option(help: "The name of the source system. Each of its ids is imported once.")
        var source = "import"

        @Option(
            help: "The app to which the accounts and their attributes belong. Default: none, and shared attributes.")
        var client: String?

        @Option(help: ArgumentHelp("The file for skipped lines, as JSON lines.", valueName: "path"))
        var report: String?

        @Flag(help: "Check every line and change nothing.")
        var dryRun = false

        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard file != "-" || runName != nil || dryRun else {
                throw ValidationError("Standard input can't be read twice. Name the import with --run.")
            }
            guard (1...64).contains(source.utf8.count), (1...200).contains(runName?.utf8.count ?? 1) else {
                throw ValidationError("--source takes 1 to 64 bytes, --run 1 to 200.")
            }
            guard report.map({ Self.resolved($0) != Self.resolved(file) }) ?? true else {
                throw ValidationError("--report must not name the imported file.")
            }
        }

        private static func resolved(_ path: String) -> String {
            URL(filePath: path).resolvingSymlinksInPath().path
        }

        func run() async throws {
            let parameters = try firebase.parameters()
            try await Operator.run(options, for: .database, about: .client, named: client) { _, pool in
                let report = try report.map { try ImportReport(path: $0) }
                let store = ImportStore(pool: pool)
                let run = dryRun ? nil : try runName ?? nameOfContent()
                let app: ImportApp? = if let client { try await Self.app(client, pool) } else { nil }
                let summary = try await work(store, run, app, parameters, report)
                if let run { try await report?.write(refusalsOf: run, in: store) }
                output.report(Self.text(summary, isDry: dryRun), Self.json(summary))
                if summary.refusedLines > 0 { throw ExitStatus.badData }
            }
        }

        private func work(
            _ store: ImportStore, _ run: String?, _ app: ImportApp?, _ parameters: FirebaseParameters?,
            _ report: ImportReport?
        ) async throws -> ImportSummary {
            var reader = LineReader(try opened())
            var progress = ImportProgress(fileSize: fileSize)
            defer { progress.end() }
            let work = AccountImport(
                store: store, run: run, source: source, app: app, firebase: parameters, requestID: Operator.requestID)
            do {
                return try await work.run(
                    &reader, progress: { progress.show($0, bytes: $1, $2) },
                    // The database stores the refused lines of a run; the report is written from there.
                    refused: { if run == nil { try report?.write($0) } })
            } catch let error as ImportError {
                throw Failure(Self.sentence(error))
            } catch let error as PostgresError {
                progress.end()
                if run != nil { Terminal.complain("The import stopped. Run the same command to resume it.") }
                throw error
            }
        }

        private static func app(_ id: String, _ pool: ConnectionPool) async throws -> ImportApp {
            let attributes: String? = try await pool.withConnection { connection in
                try connection.queryOne("select attributes::text from clients where id = \(id)")?.value(0)
            }
            guard let attributes else { throw AdminRefusal.notFound }
            return ImportApp(id: id, keys: ClientAttribute.keys(of: id, try JSON(parsing: attributes)))
        }

        /// Digests the file before its import, so that a renamed file resumes its import.
        private func nameOfContent() throws -> String {
            var reader = LineReader(try opened())
            var position = ImportPosition.start
            while let line = try reader.next() { position.advance(over: line) }
            return position.name
        }

        private func opened() throws -> FileHandle {
            guard file != "-" else { return .standardInput }
            guard let handle = FileHandle(forReadingAtPath: file) else { throw Failure("\(file) can't be read.") }
            return handle
        }

        private var fileSize: Int? {
            (try? FileManager.default.attributesOfItem(atPath: file))?[.size] as? Int
        }

        private static func sentence(_ error: ImportError) -> String {
            switch error {
            case .anotherFile(let run):
                "The import \(run) began with another file: the imported part has changed. Use a new --run name to start again. Imported ids are recognized."
            case .movedOn(let run): "Another process is running the import \(run)."
            }
        }

        private static func json(_ summary: ImportSummary) -> JSON {
            let reasons = summary.refused.sorted { $0.key.rawValue < $1.key.rawValue }.map {
                JSONObject.Member(name: $0.key.rawValue, value: .integer($0.value))
            }
            return [
                "accounts": .integer(summary.accounts), "skipped": .integer(summary.refusedLines),
                "reasons": .object(JSONObject(reasons)),
            ]
        }

        private static func text(_ summary: ImportSummary, isDry: Bool) -> String {
            let verb = isDry ? "would be imported" : "imported"
            let lines = summary.refused.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }.map {
                "  \($0.key.rawValue)  \($0.value)"
            }
            return (["\(summary.accounts) accounts \(verb), \(summary.refusedLines) lines skipped"] + lines)
                .joined(separator: "\n")
        }
    }
}
