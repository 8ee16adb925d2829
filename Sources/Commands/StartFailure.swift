package import ArgumentParser
import Cryptography
package import Postgres
import Settings

/// The error text and exit status of a server that did not start or stopped by itself.
package enum StartFailure {
    /// The text for an error.
    ///
    /// Without a connection, asks the database for the reason.
    package static func sentence(for error: any Error, at database: PostgresConfiguration) async -> String {
        guard let error = error as? PostgresError, error.isWithoutConnection,
            let refusal = await ConnectionRefusal.found(database)
        else { return sentence(for: error) }
        let reason = sentence(for: refusal)
        return refusal.state == nil ? "\(reason) \(end)" : reason
    }

    /// The same for a command: reason and remedy, without the sentence about the server's end.
    static func sentence(ofCommand error: PostgresError, at database: PostgresConfiguration) async -> String {
        guard error.isWithoutConnection, let refusal = await ConnectionRefusal.found(database) else {
            return sentence(ofCommand: error)
        }
        return sentence(for: refusal)
    }

    private static func sentence(ofCommand error: PostgresError) -> String {
        "\(error.diagnostic). \(remedy(for: error))"
    }

    /// PostgreSQL refuses the connection, or can't be reached.
    static func sentence(for refusal: ConnectionRefusal) -> String {
        guard let state = refusal.state else {
            return "The database can't be reached: \(refusal.message). \(remedyOfSilence)"
        }
        return "PostgreSQL refused the connection (\(state.rawValue)): \(refusal.message). \(remedy(for: state))"
    }

    private static let remedyOfSilence = "Check DATABASE_URL and whether PostgreSQL is running."
    private static let end = "The server has stopped and doesn't retry."

    static func remedy(for state: SQLState) -> String {
        switch state {
        case .invalidPassword:
            "Correct the password in DATABASE_URL, or set it for the role: deploy/postgres/roles.sql with GATEWAY_SERVE_PASSWORD or GATEWAY_MIGRATE_PASSWORD."
        case .invalidAuthorization:
            "Correct the user in DATABASE_URL, create the role with deploy/postgres/roles.sql, or allow it in pg_hba.conf."
        case .undefinedDatabase:
            "Correct the database name in DATABASE_URL, or create the database and run deploy/postgres/roles.sql."
        case .insufficientPrivilege:
            "The role of DATABASE_URL lacks the CONNECT permission: run deploy/postgres/roles.sql in this database."
        case .tooManyConnections:
            "PostgreSQL has no connection left for the role: raise max_connections, or lower DATABASE_CONNECTIONS."
        case .cannotConnectNow: "PostgreSQL is starting or stopping. Try again later."
        default: "PostgreSQL is running. Its log has details."
        }
    }

    static func sentence(for error: any Error) -> String {
        switch error {
        case let error as PostgresError:
            "The server can't go on: \(sentence(ofCommand: error)) \(end)"
        case is SealedBoxError:
            """
            The database's signing keys were sealed with a master key that is missing in MASTER_KEYS. Put it back, alone \
            or after the new one. A development database can be recreated instead (make clean-data).
            """
        case let error as any CustomStringConvertible: error.description
        default: "The server can't go on (\(type(of: error)))."
        }
    }

    /// The remedy for an error.
    private static func remedy(for error: PostgresError) -> String {
        switch error {
        case .unavailable, .connectionLost, .closed:
            remedyOfSilence
        case .misconfigured: "Correct DATABASE_URL."
        case .migration(.hiddenSchema):
            "PostgreSQL is running: run deploy/postgres/roles.sql as an administrator of this database, also after every migration."
        case .statement(.insufficientPrivilege, _, _):
            "PostgreSQL is running, but the role of DATABASE_URL lacks a permission: run deploy/postgres/roles.sql after every migration."
        default: "PostgreSQL is running. Its log has details."
        }
    }

    package static func status(of error: any Error) -> ExitCode {
        switch error {
        case is ConfigurationError, is SealedBoxError, is SharedSessions: ExitStatus.configuration
        case let error as PostgresError: ExitStatus.of(error)
        default: ExitStatus.failure
        }
    }
}
