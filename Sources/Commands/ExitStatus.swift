import ArgumentParser
import Postgres

/// The exit status of a command, from `sysexits.h` where it defines one.
enum ExitStatus {
    /// A failure, explained on standard error.
    static let failure = ExitCode(1)
    /// Some input was invalid; the rest was processed.
    static let badData = ExitCode(65)
    /// A required service is unavailable.
    static let unavailable = ExitCode(69)
    /// A file can't be created.
    static let cannotCreate = ExitCode(73)
    /// The configuration is wrong.
    static let configuration = ExitCode(78)

    /// The status for a database error: unreachable, invalid address, or refused.
    static func of(_ error: PostgresError) -> ExitCode {
        switch error {
        case .unavailable, .overloaded, .timedOut, .connectionLost, .closed, .cancelled: unavailable
        case .statement where error.mayPass: unavailable
        case .misconfigured: configuration
        case .statement, .decoding, .migration: failure
        }
    }
}
