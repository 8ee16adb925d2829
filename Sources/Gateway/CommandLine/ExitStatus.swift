import ArgumentParser
import Foundation
import Postgres

/// How a command ends, in the numbers of `sysexits.h` where it has one.
enum ExitStatus {
    /// Something failed that a sentence on standard error explains.
    static let failure = ExitCode(1)
    /// Some of the data was bad; the rest was done.
    static let badData = ExitCode(65)
    /// A service that the command needs isn't there.
    static let unavailable = ExitCode(69)
    /// A file can't be made.
    static let cannotCreate = ExitCode(73)
    /// The configuration is wrong.
    static let configuration = ExitCode(78)

    /// The same for whatever went wrong at the database: it isn't there, its address can't be read, or it answers and
    /// refuses.
    static func of(_ error: PostgresError) -> ExitCode {
        switch error {
        case .unavailable, .overloaded, .timedOut, .connectionLost, .closed, .cancelled: unavailable
        case .statement where error.mayPass: unavailable
        case .misconfigured: configuration
        case .statement, .decoding, .migration: failure
        }
    }
}

/// Lines for people.
enum Console {
    /// To standard output.
    static func write(_ text: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
    }

    /// To standard error.
    static func complain(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
    }
}
