import ArgumentParser
import Cryptography
import Postgres

/// Why the server did not start, or stopped by itself, in a sentence and a number.
enum StartFailure {
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
