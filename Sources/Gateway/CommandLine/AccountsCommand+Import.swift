import Accounts
import ArgumentParser
import Cryptography
import Foundation
import Postgres

extension AccountsCommand {
    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Bring accounts from another system, with their password hashes.",
            discussion: """
                The file has one JSON object a line; docs/migration.md says what may stand in it:

                {"id":"42","email":"ann@example.com","email_verified":true,"password_hash":"$2b$12$…"}

                Lines are imported 500 at a time, each time in one transaction with the place that was reached. Stopped at \
                any moment, the same command goes on from there. A line that can't be imported is left out and counted; \
                --report says which and why.

                Example: gateway accounts import --dry-run --report bad.jsonl users.jsonl

                Ends with 65 when lines were left out, 69 when the database isn't there.
                """)

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var firebase: FirebaseOptions

        @Argument(help: "The file, or - for standard input, which needs --run.")
        var file: String

        @Option(
            name: .customLong("run"),
            help: "Names the import, to be gone on with under this name; without it, its content names it.")
        var runName: String?

        @Option(help: "The system that the ids of the lines are from: each of its ids is imported once.")
        var source = "import"

        @Option(help: ArgumentHelp("Where to write the lines that were left out, as JSON lines.", valueName: "path"))
        var report: String?

        @Flag(help: "Check every line against the rules and the database, and keep nothing.")
        var dryRun = false

        func validate() throws {
            guard file != "-" || runName != nil || dryRun else {
                throw ValidationError("Standard input can't be read twice: name the import with --run.")
            }
            guard (1...64).contains(source.utf8.count), (1...200).contains(runName?.utf8.count ?? 1) else {
                throw ValidationError("--source takes 1 to 64 bytes, --run 1 to 200.")
            }
            guard report.map({ Self.resolved($0) != Self.resolved(file) }) ?? true else {
                throw ValidationError("--report names the file that is imported: give the report a path of its own.")
            }
        }

        private static func resolved(_ path: String) -> String {
            URL(filePath: path).resolvingSymlinksInPath().path
        }

        func run() async throws {
            let parameters = try firebase.parameters()
            try await Operator.run(options) { _, pool in
                let report = try report.map { try ImportReport(path: $0) }
                let store = ImportStore(pool: pool)
                let run = dryRun ? nil : try runName ?? nameOfContent()
                let summary = try await work(store, run, parameters, report)
                if let run { try await report?.write(refusalsOf: run, in: store) }
                Console.write(Self.text(summary, isDry: dryRun))
                if summary.refusedLines > 0 { throw ExitStatus.badData }
            }
        }

        private func work(
            _ store: ImportStore, _ run: String?, _ parameters: FirebaseParameters?, _ report: ImportReport?
        ) async throws -> ImportSummary {
            var reader = LineReader(try opened())
            var progress = ImportProgress(fileSize: fileSize)
            defer { progress.end() }
            let work = AccountImport(
                store: store, run: run, source: source, firebase: parameters, requestID: Operator.requestID)
            do {
                return try await work.run(
                    &reader, progress: { progress.show($0, bytes: $1, $2) },
                    // What a run refuses is kept with it, and written from there.
                    refused: { if run == nil { try report?.write($0) } })
            } catch let error as ImportError {
                throw Failure(Self.sentence(error))
            } catch let error as PostgresError {
                progress.end()
                if run != nil { Console.complain("The import stopped; the same command goes on from there.") }
                throw error
            }
        }

        /// Reads the file once before its import: the same content goes on where it stopped, whatever the file is called.
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
                "The import \(run) began with another file: what was imported of it stands no longer at its beginning. Give a new --run name to begin anew; ids that were imported are known again."
            case .movedOn(let run): "Another process is at work on the import \(run)."
            }
        }

        private static func text(_ summary: ImportSummary, isDry: Bool) -> String {
            let verb = isDry ? "would be imported" : "imported"
            let lines = summary.refused.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }.map {
                "  \($0.key.rawValue)  \($0.value)"
            }
            return (["\(summary.accounts) accounts \(verb), \(summary.refusedLines) lines left out"] + lines)
                .joined(separator: "\n")
        }
    }
}
