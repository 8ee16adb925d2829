package import Accounts
import Cryptography
package import Foundation
package import JSON
package import Logging
package import Postgres
import Providers

/// What a signed-in person does with the own account.
package struct AccountService: Sendable {
    private let store: AccountStore
    private let pool: ConnectionPool
    private let signIn: SignInService
    private let clients: ClientRegistry
    private let directory: SessionDirectory
    private let logger: Logger
    private let now: @Sendable () -> Date

    package init(
        pool: ConnectionPool, signIn: SignInService, clients: ClientRegistry, directory: SessionDirectory,
        logger: Logger,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        store = AccountStore(pool: pool)
        (self.pool, self.signIn, self.clients, self.directory) = (pool, signIn, clients, directory)
        (self.logger, self.now) = (logger, now)
    }

    /// Gives the account another name, or none.
    package func rename(to name: String?, session: SessionSnapshot, caller: Caller) async throws(Rejection)
        -> AccountSummary
    {
        let cleaned = name.flatMap { DisplayName.clean($0, limit: 200) }
        let facts = session.facts
        return try await rejecting(logger) {
            try await store.rename(
                facts.account, to: cleaned, session: facts.session, client: facts.clientID, caller: caller)
            directory.forget(account: facts.account)
            guard let account = try await store.summary(facts.account), account.status == "active" else {
                throw Rejection.sessionEnded
            }
            return account.summary
        }
    }

    package func identities(of account: UUID) async throws(Rejection) -> [LinkedIdentity] {
        try await rejecting(logger) { try await store.identities(account) }
    }

    /// Whether a password opens the account.
    package func hasPassword(_ account: UUID) async throws(Rejection) -> Bool {
        try await rejecting(logger) { try await store.hasPassword(account) }
    }

    /// Whether the session was proved so short a while ago that its account may gain an identity.
    package func mayLink(_ session: SessionSnapshot) -> Bool { signIn.isFresh(session) }

    /// Links a provider's credential to the account of a session that was proved a short while ago.
    ///
    /// The flag says whether the identity is new to the account.
    package func link(
        provider: String, credential: JSONObject, session: SessionSnapshot, request: SignInRequest
    ) async throws(Rejection) -> (identity: LinkedIdentity, isNew: Bool) {
        guard mayLink(session) else { throw .reauthRequired }
        let presented = try await signIn.verify(provider: provider, credential: credential, request: request)
        return try await link(presented, to: session)
    }

    /// Links an identity that was verified.
    func link(
        _ presented: SignInStore.Presented, to session: SessionSnapshot
    ) async throws(Rejection) -> (identity: LinkedIdentity, isNew: Bool) {
        guard mayLink(session) else { throw .reauthRequired }
        let linking = Linking(presented: presented, session: session, identityID: UUID.v7(at: now(), random: .system))
        let answer = try await rejecting(logger) {
            try await pool.withConnection { connection in try linking.perform(connection) }
        }
        if case .refused(let rejection) = answer { throw rejection }
        guard case .linked(let identity, let isNew) = answer else { throw .internalError }
        return (identity, isNew)
    }

    private func waysIn(of facts: AccessTokenFacts) throws(Rejection) -> [String] {
        guard let client = clients.client(facts.clientID) else { throw .clientUnknown }
        return signIn.waysIn(of: client)
    }

    package func unlink(_ identity: UUID, session: SessionSnapshot, caller: Caller) async throws(Rejection) {
        let facts = session.facts
        let answer = try await rejecting(logger) {
            try await store.unlink(
                identity, from: facts.account, session: facts.session, usableProviders: try waysIn(of: facts),
                client: facts.clientID,
                caller: caller)
        }
        directory.forget(account: facts.account)
        switch answer {
        case .unlinked: return
        case .notFound: throw .notFound
        case .lastCredential: throw .lastCredential
        }
    }
}
