import ArgumentParser
import Logging
import Postgres

/// `gateway migrate`.
struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Bring the database's schema up to date.",
        discussion: """
            Applies the numbered migrations that are missing and replaces every function whose text changed, all of it \
            in one transaction. A lock lets several servers start it at once. A migration that was changed after it ran \
            is refused, and so is a database of an earlier schema. Ends with 69 when the database can't be reached.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "Only say which migrations are missing and which functions would be replaced.")
    var dryRun = false

    func run() async throws {
        let configuration = try options.load()
        _ = Bootstrap.logging(configuration.logging)
        let database = configuration.database.connection(applicationName: "login-gateway migrate")
        do {
            try await Self.run(database, isDry: dryRun)
        } catch let error as PostgresError {
            let refusal = error.isWithoutConnection ? await ConnectionRefusal.found(database) : nil
            Console.complain(refusal.map { StartFailure.sentence(for: $0) } ?? error.diagnostic)
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
        for file in report.applied { Console.write("\(verb) \(file)") }
        for path in report.functions { Console.write("\(isDry ? "outdated" : "replaced") \(path)") }
        if report.isCurrent { Console.write("The schema is up to date.") }
        if !report.unknown.isEmpty {
            Console.write("The database is newer than this program: it has \(report.unknown.count) migrations more.")
        }
    }
}
