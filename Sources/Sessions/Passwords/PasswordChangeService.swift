package import Accounts
package import Cryptography
import Foundation
import JSON
package import Logging
package import Postgres

/// Gives an account another password while its owner is signed in.
///
/// The old one is asked again, and its attempts are counted as those of a sign-in: a session that somebody left open, or
/// stole, does not make its finder the owner.
package struct PasswordChangeService: Sendable {
    private let pool: ConnectionPool
    private let hasher: PasswordHasher
    private let throttles: Throttles
    private let policy: PasswordPolicy
    private let logger: Logger

    package init(
        pool: ConnectionPool, hasher: PasswordHasher, throttles: Throttles, policy: PasswordPolicy, logger: Logger
    ) {
        (self.pool, self.hasher, self.throttles) = (pool, hasher, throttles)
        (self.policy, self.logger) = (policy, logger)
    }

    /// Every other session of the account ends.
    ///
    /// - Parameter current: needed where the account has a password.
    package func change(
        from current: String?, to new: String, session: SessionSnapshot, caller: Caller
    ) async throws(Rejection) {
        let facts = session.facts
        try policy.check(new, session.account.email.flatMap(EmailAddress.init))
        // Before the attempt is charged: who is turned away has paid nothing.
        let place = try await rejecting(logger) { try await hasher.place(for: caller.network) }
        defer { place.leave() }
        let old = try await proved(current, session, caller, in: place)
        let isNew = try await rejecting(logger) {
            try await hasher.isNew(new, besides: old.map { [$0] } ?? [], in: place)
        }
        guard isNew else { throw .passwordUnchanged }
        let hash = try await rejecting(logger) { try await hasher.hash(PasswordPolicy.normalised(new), in: place) }
        let outcome: PasswordChange = try await rejecting(logger) {
            try await pool.withConnection { connection in
                try connection.row(
                    """
                    select change_password(\(facts.account), \(facts.session), \(RecentProof.seconds), \(old), \(hash), \(facts.clientID), \(caller.address),
                                           \(caller.requestID))
                    """
                ).answer()
            }
        }
        switch outcome {
        case .changed: return
        case .factsChanged: throw .invalidCredentials
        }
    }

    /// The stored hash, once the typed password has been held against it; nil where there is none.
    private func proved(
        _ current: String?, _ session: SessionSnapshot, _ caller: Caller, in place: HashingPlace
    ) async throws(Rejection) -> String? {
        let account = session.facts.account
        let price = throttles.passwordAttempt(
            name: account.text, address: caller.address, client: session.facts.clientID,
            isKnownDevice: false)
        let (wait, hash): (Double, String?) = try await rejecting(logger) {
            try await pool.withConnection { connection in
                let row = try connection.queryOne(
                    "select take_from_throttles(\(price)), (select hash from passwords where account_id = \(account))")
                guard let row else { throw Rejection.internalError }
                return (try row.value(0), try row.value(1))
            }
        }
        guard wait <= 0 else { throw .throttled(retryAfter: Int(wait.rounded(.up))) }
        guard let hash else { return nil }
        guard let current, !current.isEmpty else {
            throw .invalidField(.currentPassword, .required)
        }
        guard current.utf8.count <= PasswordPolicy.maximumBytes else { throw .invalidCredentials }
        let match = try await rejecting(logger) {
            try await hasher.verify(PasswordPolicy.normalised(current), against: hash, in: place)
        }
        guard match != .no else { throw .invalidCredentials }
        return hash
    }
}

/// What a change of a password came to (`change_password`).
enum PasswordChange: String, OutcomeWord {
    static let functions = ["change_password"]

    case changed
    /// Another change was faster.
    case factsChanged = "facts_changed"
}
