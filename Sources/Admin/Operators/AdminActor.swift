package import Accounts
package import Foundation

/// Who does something as an operator, and from where.
package enum AdminActor: Sendable, Equatable {
    /// An operator by a session of the gateway.
    case session(account: UUID, session: UUID, Caller)
    /// Whoever may run commands on the machine: the operating system says who that is.
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
