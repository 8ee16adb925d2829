import ArgumentParser
import GatewaySettings
import JSON
import Logging
import Postgres
import Telemetry

/// `gateway migrate`.
struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Update the database schema.",
        discussion: """
            Applies missing migrations and replaces changed functions, in one transaction. A lock serializes \
            concurrent runs. Refuses migrations that were changed after they ran, and databases of an earlier schema. \
            Servers of the previous version keep running: an attempt waits briefly for a table in use, and is repeated.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "Only list missing migrations and changed functions.")
    var dryRun = false

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let configuration = try options.load(for: .database)
        _ = Bootstrap.logging(configuration.logging)
        let database = configuration.database.connection(applicationName: "login-gateway migrate")
        do {
            try await migrate(database)
        } catch let error as PostgresError {
            Terminal.complain(await StartFailure.sentence(ofCommand: error, at: database))
            throw ExitStatus.of(error)
        }
    }

    private func migrate(_ database: PostgresConfiguration) async throws {
        let migrator = try Migrator.ofThisProgram()
        let report =
            dryRun
            ? try await SingleConnection.run(database) { try migrator.pending(on: $0) }
            : try await migrator.migrate(database) {
                Terminal.complain("\($0) waits for a table that another transaction uses. The next attempt follows.")
            }
        let files = report.applied.map { (state: dryRun ? "missing" : "applied", file: $0) }
        let functions = report.functions.map { (state: dryRun ? "outdated" : "replaced", file: $0) }
        for (state, file) in files + functions {
            output.report("\(state) \(file)", ["state": .string(state), "file": .string(file)])
        }
        if report.isCurrent, !output.json { Terminal.write("The schema is up to date.") }
        if !report.unknown.isEmpty {
            Terminal.complain(
                "The database is newer than this program: it has \(report.unknown.count) unknown migrations.")
        }
    }
}
