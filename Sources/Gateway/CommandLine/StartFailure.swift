import ArgumentParser
import Cryptography
import Postgres
import Settings

/// Why the server did not start, or stopped by itself, in a sentence and a number.
enum StartFailure {
    /// The sentence for an error; where no connection came about the database is asked why.
    static func sentence(for error: any Error, at database: PostgresConfiguration) async -> String {
        if let error = error as? PostgresError, error.isWithoutConnection,
            let refusal = await ConnectionRefusal.found(database)
        {
            return sentence(for: refusal)
        }
        return sentence(for: error)
    }

    /// PostgreSQL answers, and takes no connection.
    static func sentence(for refusal: ConnectionRefusal) -> String {
        "PostgreSQL refused the connection (\(refusal.state.rawValue)): \(refusal.message). \(remedy(for: refusal.state))"
    }

    private static func remedy(for state: SQLState) -> String {
        switch state {
        case .invalidPassword:
            "Mend the password in DATABASE_URL, or give the role this one: deploy/postgres/roles.sql with GATEWAY_SERVE_PASSWORD or GATEWAY_MIGRATE_PASSWORD."
        case .invalidAuthorization:
            "Mend the user in DATABASE_URL, make the role with deploy/postgres/roles.sql, or let it in with pg_hba.conf."
        case .undefinedDatabase:
            "Mend the name of the database in DATABASE_URL, or create it and run deploy/postgres/roles.sql."
        case .insufficientPrivilege:
            "The role of DATABASE_URL lacks the right CONNECT: run deploy/postgres/roles.sql in this database."
        case .tooManyConnections:
            "PostgreSQL has no connection left for the role: raise max_connections, or lower DATABASE_CONNECTIONS."
        case .cannotConnectNow: "It is starting or stopping; try again when it is up."
        default: "PostgreSQL is running; its log has more."
        }
    }

    static func sentence(for error: any Error) -> String {
        switch error {
        case let error as PostgresError: "The server can't go on: \(error.diagnostic). \(remedy(for: error))"
        case is SealedBoxError:
            """
            The database's signing keys were sealed under a master key that MASTER_KEYS doesn't hold. Put that one back, \
            alone or behind the new one; a development database can be made anew instead (make clean-data).
            """
        case let error as any CustomStringConvertible: error.description
        default: "The server can't go on (\(type(of: error)))."
        }
    }

    /// What to do about it, as far as the error tells.
    private static func remedy(for error: PostgresError) -> String {
        switch error {
        case .unavailable, .connectionLost, .closed:
            "Is DATABASE_URL right, and PostgreSQL running? The log has the reason. The server has stopped and does not try again."
        case .misconfigured: "Mend DATABASE_URL."
        case .migration(.hiddenSchema):
            "PostgreSQL is running: run deploy/postgres/roles.sql as an administrator of this database, also after every migration."
        case .statement(.insufficientPrivilege, _, _):
            "PostgreSQL is running, and the role of DATABASE_URL lacks a right: run deploy/postgres/roles.sql after every migration."
        default: "PostgreSQL is running; its log has more. The server has stopped and does not try again."
        }
    }

    static func status(of error: any Error) -> ExitCode {
        switch error {
        case is ConfigurationError, is SealedBoxError: ExitStatus.configuration
        case let error as PostgresError: ExitStatus.of(error)
        default: ExitStatus.failure
        }
    }
}
