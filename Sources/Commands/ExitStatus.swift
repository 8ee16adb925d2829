import ArgumentParser
import Postgres

/// The exit status of a command, from `sysexits.h` where it defines one.
package enum ExitStatus {
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

    static let title = "EXIT STATUS:"

    /// The meaning of each status, for the help of every command.
    package static let help = """
        \(title)
          0   Done.
          1   A failure, which standard error explains.
          64  Wrong arguments, or a question that needs --yes.
          65  Some of the input is not valid.
          69  The database is unreachable, or refuses changes.
          73  A file cannot be created.
          78  Wrong settings.
        """

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
