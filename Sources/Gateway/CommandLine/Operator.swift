import ArgumentParser
import Foundation
import Logging
import Postgres

/// A sentence for standard error, and exit status 1.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// What an operator's command runs in: the configuration and a connection, and clear words when one is missing.
enum Operator {
    /// Names commands of this process in the audit log.
    static let requestID = "cli-\(ProcessInfo.processInfo.processIdentifier)"

    static func run(
        _ options: ConfigurationOptions, _ body: (GatewayConfiguration, ConnectionPool) async throws -> Void
    ) async throws {
        let configuration = try options.load()
        let logger = Bootstrap.logging(LoggingConfiguration(level: .error, format: configuration.logging.format))
        var database = configuration.database.connection(applicationName: "login-gateway operator")
        database.maximumConnections = 1
        let pool = ConnectionPool(configuration: database, logger: logger)
        pool.start()
        do {
            try await body(configuration, pool)
            await pool.shutdown()
        } catch {
            await pool.shutdown()
            throw exit(error)
        }
    }

    private static func exit(_ error: any Error) -> any Error {
        switch error {
        case let failure as Failure:
            Console.complain(failure.description)
            return ExitStatus.failure
        case let error as PostgresError:
            Console.complain(error.diagnostic)
            return ExitStatus.unavailable
        default: return error
        }
    }
}
