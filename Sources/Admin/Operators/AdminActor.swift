package import Accounts
package import Foundation

/// The acting operator, with the origin of the request.
package enum AdminActor: Sendable, Equatable {
    /// An operator with a session of the gateway.
    case session(account: UUID, session: UUID, Caller)
    /// The command line: the operating system authenticates its users.
    case commandLine(requestID: String)

    package var account: UUID? {
        guard case .session(let account, _, _) = self else { return nil }
        return account
    }

    var session: UUID? {
        guard case .session(_, let session, _) = self else { return nil }
        return session
    }

    /// The peer's address; nil for the command line.
    var address: String? {
        guard case .session(_, _, let caller) = self else { return nil }
        return caller.address
    }

    var requestID: String {
        switch self {
        case .session(_, _, let caller): caller.requestID
        case .commandLine(let requestID): requestID
        }
    }
}
