package import Accounts
package import Clients
package import Cryptography
import Foundation
package import Logging
package import Postgres
package import Sessions
package import Vocabulary

/// Changes the password of a signed-in user.
///
/// It demands the old password and charges each attempt like that of a known device. Otherwise an unattended or stolen
/// session could take over the account.
package final class PasswordChangeService: Sendable {
    private let pool: ConnectionPool
    private let hasher: PasswordHasher
    private let throttles: Throttles
    private let policy: PasswordPolicy
    private let breaches: BreachedPasswords?
    private let clients: ClientRegistry
    private let names: SRPNames
    private let logger: Logger

    package init(
        pool: ConnectionPool, clients: ClientRegistry, keys: MasterKeys, hasher: PasswordHasher, throttles: Throttles,
        policy: PasswordPolicy, breaches: BreachedPasswords? = nil, logger: Logger
    ) {
        (self.pool, self.clients, self.hasher, self.throttles) = (pool, clients, hasher, throttles)
        names = SRPNames(pool: pool, keys: keys, logger: logger)
        (self.policy, self.breaches, self.logger) = (policy, breaches, logger)
    }

    /// Changes the password and ends every other session of the account.
    ///
    /// - Parameter current: required if the account has a password.
    package func change(
        from current: String?, to new: String, session: SessionSnapshot, caller: Caller
    ) async throws(Rejection) {
        let facts = session.facts
        // The later holder of the account would not know of the password (`steps/change_password.sql`).
        guard !session.account.isGuest else { throw .reauthRequired }
        try policy.check(new, session.account.email.flatMap(EmailAddress.init))
        // This check precedes the charge, so that a request refused here costs no attempt.
        let place = try await rejecting(logger) { try await hasher.place(for: caller.network) }
        defer { place.leave() }
        let old = try await proved(current, session, caller, in: place)
        let isNew = try await rejecting(logger) {
            try await hasher.isNew(new, besides: old.map { [$0] } ?? [], in: place)
        }
        guard isNew else { throw .passwordUnchanged }
        let order = try await names.order(
            for: facts.account, in: clients.client(facts.clientID)?.srpRealm)
        let retaken = try await rejecting(logger) {
            try await hasher.place(after: place, asking: breaches, about: new, for: caller.network)
        }
        defer { retaken.leave() }
        let verifiers = try await rejecting(logger) {
            try await hasher.verifiers(of: new, srp: order, in: retaken)
        }
        let outcome: PasswordChange = try await rejecting(logger) {
            try await pool.withConnection { connection in
                try connection.row(
                    """
                    select change_password(\(facts.account), \(facts.session), \(RecentProof.seconds), \(old), \(verifiers), \(facts.clientID), \(caller.address),
                                           \(caller.requestID))
                    """
                ).answer()
            }
        }
        switch outcome {
        case .changed: return
        case .factsChanged: throw .invalidCredentials()
        }
    }

    /// Returns the stored hash after verifying the typed password against it; nil if there is none.
    private func proved(
        _ current: String?, _ session: SessionSnapshot, _ caller: Caller, in place: HashingPlace
    ) async throws(Rejection) -> String? {
        let account = session.facts.account
        let (networks, own) = (throttles.start(address: caller.address), throttles.password(bucket: []))
        let (wait, hash): (Double, String?) = try await rejecting(logger) {
            try await pool.withConnection { connection in
                let row = try connection.row(
                    """
                    select wait, hash
                      from begin_password_change(\(account), \(networks), \(own.burst), \(own.periodMilliseconds))
                    """)
                return (try row.value(0), try row.value(1))
            }
        }
        guard wait <= 0 else { throw .throttled(retryAfter: Int(wait.rounded(.up))) }
        guard let hash else { return nil }
        guard let current, !current.isEmpty else {
            throw .invalidField(.currentPassword, .required)
        }
        guard current.utf8.count <= PasswordPolicy.maximumBytes else { throw .invalidCredentials() }
        let match = try await rejecting(logger) {
            try await hasher.verify(PasswordPolicy.normalised(current), against: hash, in: place)
        }
        guard match != .no else { throw .invalidCredentials() }
        return hash
    }
}

/// The outcomes of `change_password`.
enum PasswordChange: String, OutcomeWord {
    static let functions = ["change_password"]

    case changed
    /// Another change happened first.
    case factsChanged = "facts_changed"
}
