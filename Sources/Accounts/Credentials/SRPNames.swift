package import Cryptography
package import Foundation
package import Logging
package import Postgres
package import Vocabulary

/// The users of SRP that stand for sign-in names, and the orders for their verifiers.
package final class SRPNames: Sendable {
    package let secret: NameSecret
    package let box: SealedBox
    private let pool: ConnectionPool
    private let logger: Logger

    package init(pool: ConnectionPool, keys: MasterKeys, logger: Logger) {
        secret = NameSecret(pool: pool, keys: keys, logger: logger)
        (box, self.pool, self.logger) = (SealedBox(keys), pool, logger)
    }

    /// The user of a typed name; nil without a realm.
    package func user(_ name: SignInName?, in realm: String?) async throws(Rejection) -> SRPUser? {
        guard let name, let realm else { return nil }
        let key = try await rejecting(logger) { try await secret.key() }
        return SRPUser(name, realm: realm, key: key)
    }

    /// An order for these names of an account, and for its id; nil without a realm.
    package func order(for account: UUID, in realm: String?, names: [SignInName]) async throws(Rejection) -> SRPOrder? {
        guard let realm else { return nil }
        let key = try await rejecting(logger) { try await secret.key() }
        let users = names.map { SRPUser($0, realm: realm, key: key) } + [SRPUser(account, realm: realm, key: key)]
        return SRPOrder(account: account, realm: realm, users: Array(Set(users)), box: box)
    }

    /// The same for all names that the account has.
    package func order(for account: UUID, in realm: String?) async throws(Rejection) -> SRPOrder? {
        guard realm != nil else { return nil }
        let names = try await rejecting(logger) {
            try await pool.withConnection { connection in
                try connection.queryOne("select sign_in_names(\(account))")?.value(0, as: [String]?.self) ?? []
            }
        }
        return try await order(for: account, in: realm, names: names.compactMap(SignInName.init))
    }
}

extension AccountFactors {
    /// The names that sign in.
    package var signInNames: [SignInName] {
        (emails.map(\.text) + phones + [userName].compactMap(\.self)).compactMap(SignInName.init)
    }
}
