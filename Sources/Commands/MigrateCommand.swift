import ArgumentParser
import GatewaySettings
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
            Exit status: 69 if the database is unreachable.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "Only list missing migrations and changed functions.")
    var dryRun = false

    func run() async throws {
        let configuration = try options.load()
        _ = Bootstrap.logging(configuration.logging)
        let database = configuration.database.connection(applicationName: "login-gateway migrate")
        do {
            try await Self.run(database, isDry: dryRun)
        } catch let error as PostgresError {
            let refusal = error.isWithoutConnection ? await ConnectionRefusal.found(database) : nil
            Terminal.complain(refusal.map { StartFailure.sentence(for: $0) } ?? error.diagnostic)
            throw ExitStatus.of(error)
        }
    }

    private static func run(_ database: PostgresConfiguration, isDry: Bool) async throws {
        let migrator = try Migrator.ofThisProgram()
        let report =
            isDry
            ? try await SingleConnection.run(database) { try migrator.pending(on: $0) }
            : try await migrator.migrate(database)
        let verb = isDry ? "missing" : "applied"
        for file in report.applied { Terminal.write("\(verb) \(file)") }
        for path in report.functions { Terminal.write("\(isDry ? "outdated" : "replaced") \(path)") }
        if report.isCurrent { Terminal.write("The schema is up to date.") }
        if !report.unknown.isEmpty {
            Terminal.write(
                "The database is newer than this program: it has \(report.unknown.count) unknown migrations.")
        }
    }
}
