package import Clients
package import Cryptography
package import Foundation
package import Logging
package import Postgres
package import Vocabulary

/// Checks and hashes the passwords that back ends set for users.
package final class ProvisionedPasswords: Sendable {
    private let hasher: PasswordHasher
    private let policy: PasswordPolicy
    private let breaches: BreachedPasswords?
    private let names: SRPNames
    private let logger: Logger

    package init(
        pool: ConnectionPool, hasher: PasswordHasher, policy: PasswordPolicy, breaches: BreachedPasswords?,
        keys: MasterKeys, logger: Logger
    ) {
        (self.hasher, self.policy, self.breaches, self.logger) = (hasher, policy, breaches, logger)
        names = SRPNames(pool: pool, keys: keys, logger: logger)
    }

    /// A temporary password: 80 bits, in letters and digits that are easy to read aloud.
    package static func temporary() -> String { Base32.encode(RandomBytes.system(10)).lowercased() }

    /// The verifiers of a password for an account.
    ///
    /// - Parameters:
    ///   - email: the user's address, which the password must not contain.
    ///   - client: decides whether it gets verifiers of SRP.
    ///   - names: of a user who is not stored yet; nil for those that the account has.
    /// - Throws: the refusals of the password policy.
    package func verifiers(
        of password: String, for account: UUID, email: EmailAddress?, names new: [SignInName]? = nil, client: Client,
        caller: Caller
    ) async throws(Rejection) -> PasswordVerifiers {
        try policy.check(password, email)
        try await breaches?.refuse(password)
        let srp =
            if let new { try await names.order(for: account, in: client.srpRealm, names: new) } else {
                try await names.order(for: account, in: client.srpRealm)
            }
        return try await rejecting(logger) {
            let place = try await hasher.place(for: caller.network)
            defer { place.leave() }
            return try await hasher.verifiers(of: password, srp: srp, in: place)
        }
    }
}
