package import Foundation
package import Vocabulary

/// The acting operator, with the origin of the request.
package enum AdminActor: Sendable, Equatable {
    /// An operator with a session of the gateway.
    case session(account: UUID, session: UUID, Caller)
    /// The back end of a client, with its access key; the second id names the key in audit rows.
    case accessKey(String, UUID, Caller)
    /// The command line: the operating system authenticates its users.
    case commandLine(requestID: String)

    /// The actor of its changes: the operator's account, or the id of the key as an actor.
    ///
    /// Nil for the command line alone, which SQL functions exempt from some rules.
    package var id: UUID? {
        switch self {
        case .session(let account, _, _): account
        case .accessKey(_, let id, _): id
        case .commandLine: nil
        }
    }

    /// The operator's account; nil for a key and the command line.
    package var account: UUID? {
        guard case .session(let account, _, _) = self else { return nil }
        return account
    }

    /// The id of its access key; nil without one.
    package var keyID: String? {
        if case .accessKey(let key, _, _) = self { key } else { nil }
    }

    var session: UUID? {
        guard case .session(_, let session, _) = self else { return nil }
        return session
    }

    /// The peer's address; nil for the command line.
    package var address: String? {
        switch self {
        case .session(_, _, let caller), .accessKey(_, _, let caller): caller.address
        case .commandLine: nil
        }
    }

    package var requestID: String {
        switch self {
        case .session(_, _, let caller), .accessKey(_, _, let caller): caller.requestID
        case .commandLine(let requestID): requestID
        }
    }

    /// Who asks for a deletion (`deletion_side`).
    package var side: String { keyID == nil ? "operator" : "back_end" }

    /// The mark of a sign-in method that it puts into an account (`is_put_in`).
    package var mark: String { keyID == nil ? "operator" : "back_end" }
}
