package import Foundation
package import Vocabulary

/// The acting operator, with the origin of the request.
package enum AdminActor: Sendable, Equatable {
    /// An operator with a session of the gateway.
    case session(account: UUID, session: UUID, Caller)
    /// The back end of a client, which signed the call with its access key.
    case accessKey(String, Caller)
    /// The command line: the operating system authenticates its users.
    case commandLine(requestID: String)

    package var account: UUID? {
        guard case .session(let account, _, _) = self else { return nil }
        return account
    }

    /// The id of its access key; nil without one.
    package var keyID: String? {
        if case .accessKey(let key, _) = self { key } else { nil }
    }

    var session: UUID? {
        guard case .session(_, let session, _) = self else { return nil }
        return session
    }

    /// The peer's address; nil for the command line.
    package var address: String? {
        switch self {
        case .session(_, _, let caller), .accessKey(_, let caller): caller.address
        case .commandLine: nil
        }
    }

    package var requestID: String {
        switch self {
        case .session(_, _, let caller), .accessKey(_, let caller): caller.requestID
        case .commandLine(let requestID): requestID
        }
    }

    /// Who asks for a deletion (`deletion_side`).
    package var side: String {
        if case .accessKey = self { "back_end" } else { "operator" }
    }

    /// The name of its read budget; nil for the command line, which has none.
    var budget: String? {
        switch self {
        case .session(let account, _, _): account.uuidString
        case .accessKey(let key, _): "access key \(key)"
        case .commandLine: nil
        }
    }

    /// The mark of a sign-in method that it puts into an account (`is_put_in`).
    package var mark: String {
        keyID == nil ? "operator" : "back_end"
    }

    /// The words of its audit rows: a back end has no account, so its key is named.
    func words(_ reason: String?) -> String? {
        guard case .accessKey(let key, _) = self else { return reason }
        return (reason.map { "\($0), " } ?? "") + "signed with access key \(key)"
    }
}
