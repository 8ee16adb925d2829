package import Foundation

/// The present names of the ids in rows of the audit log.
///
/// The log itself has only ids, so that a name leaves it with its account.
package struct AuditNames: Sendable, Equatable {
    /// The names of accounts and acting operators; no entry for a deleted account or one without a name.
    private let accounts: [UUID: String]
    private let clients: [String: String]

    package init(accounts: [UUID: String] = [:], clients: [String: String] = [:]) {
        (self.accounts, self.clients) = (accounts, clients)
    }

    package func account(_ id: String) -> String? { UUID(uuidString: id).flatMap { accounts[$0] } }

    package func client(_ id: String) -> String? { clients[id] }
}
