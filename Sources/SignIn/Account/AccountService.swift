package import Accounts
package import Clients
package import Foundation
package import JSON
import Logging
import Postgres
import Providers
package import Sessions
package import Vocabulary

/// Manages the account of a signed-in user.
package final class AccountService: Sendable {
    private let store: AccountStore
    private let profiles: AccountProfiles
    private let shared: FlowServices
    private let signIn: SignInService
    private let directory: SessionDirectory
    private let merging: MergeService
    private var pool: ConnectionPool { shared.pool }
    private var clients: ClientRegistry { shared.clients }
    private var logger: Logger { shared.logger }

    package init(_ shared: FlowServices, signIn: SignInService, directory: SessionDirectory, merging: MergeService) {
        (store, profiles) = (AccountStore(pool: shared.pool), AccountProfiles(pool: shared.pool))
        (self.shared, self.signIn, self.directory, self.merging) = (shared, signIn, directory, merging)
    }

    /// Returns the account with only those attributes that belong to the session's client.
    package func profile(_ session: SessionSnapshot) async throws(Rejection) -> AccountProfile {
        let client = try client(of: session.facts)
        let profile = try await rejecting(logger) { try await profiles.profile(session.facts.account) }
        guard let profile else { throw .sessionEnded() }
        return profile.keeping(client.knownAttributes)
    }

    /// The account of a flow whose user proved a first factor; nil where the step is not shown to such a user alone.
    package func profile(of pending: PendingStep, client: Client) async throws(Rejection) -> AccountProfile? {
        guard case .newPassword = pending.step, shared.tokens.kind(of: pending.flow) == .signIn else { return nil }
        let flow = try shared.tokens.parse(pending.flow, .signIn).id
        let account: UUID? = try await rejecting(logger) {
            try await pool.withConnection { connection in
                try connection.queryOne("select account_id from flows where id = \(flow)")?.value(0)
            }
        }
        guard let account else { return nil }
        let profile = try await rejecting(logger) { try await profiles.profile(account) }
        return profile?.keeping(client.knownAttributes)
    }

    /// Changes the sent members of the profile: `display_name`, `attributes` and `first_factor`.
    package func change(
        _ sent: JSONObject, session: SessionSnapshot, caller: Caller
    ) async throws(Rejection) -> AccountProfile {
        let change = try ProfileChange(sent, client: try client(of: session.facts))
        let facts = session.facts
        if !change.json.members.isEmpty {
            try await rejecting(logger) {
                try await store.change(
                    facts.account, change, session: facts.session, client: facts.clientID, caller: caller)
            }
            directory.forget(account: facts.account)
            // A session that ended during the wait did not change the profile.
            guard try await directory.session(facts.session) != nil else { throw .sessionEnded() }
        }
        return try await profile(session)
    }

    private func client(of facts: AccessTokenFacts) throws(Rejection) -> Client {
        guard let client = clients.client(facts.clientID) else { throw .clientUnknown() }
        return client
    }

    package func identities(of account: UUID) async throws(Rejection) -> [LinkedIdentity] {
        try await rejecting(logger) { try await store.identities(account) }
    }

    /// Requires a recent proof, with the second factor if the account has one, before an identity is linked.
    ///
    /// The linking statement checks again. This check comes first, so that no credential is spent and no browser
    /// redirected in vain.
    package func requireLinking(_ session: SessionSnapshot) async throws(Rejection) {
        try clients.require(.account, of: session)
        guard signIn.mayLink(session) else { throw .reauthRequired }
        let facts = session.facts
        guard facts.acr != Proofs.multiFactor else { return }
        let refusal = try await rejecting(logger) {
            try await store.refusalOfAddition(by: facts.session, of: facts.account)
        }
        if let refusal { throw Rejection(refusal) }
    }

    /// Links a provider's credential to the account of a session with a recent proof.
    func link(
        provider: String, _ credential: PresentedCredential, _ session: SessionSnapshot, _ request: SignInRequest
    ) async throws(Rejection) -> Linked {
        try await requireLinking(session)
        let presented = try await signIn.verify(provider: provider, credential, request)
        return try await link(presented, to: session)
    }

    /// Links a verified identity.
    func link(
        _ presented: SignInStore.Presented, to session: SessionSnapshot
    ) async throws(Rejection) -> Linked {
        try clients.require(.account, of: session)
        guard signIn.mayLink(session) else { throw .reauthRequired }
        let answer = try await signIn.charging(presented.price) { () async throws(Rejection) in
            try await self.answer(linking: presented, to: session)
        }
        switch answer {
        case .linked(let identity, let isNew, let isRenewed):
            signIn.unblock(presented.price)
            await signIn.fillAttributes(presented)
            guard isRenewed else { return Linked(identity: identity, isNew: isNew, renewed: nil) }
            directory.forget(account: session.facts.account)
            let renewed = try await shared.starter.issued(presented.session, for: session.account)
            return Linked(identity: identity, isNew: isNew, renewed: renewed)
        case .inUse(let identity):
            signIn.unblock(presented.price)
            let proved = presented.session.authTime
            throw .identityInUse(
                mergeTicket: try await merging.ticket(
                    provedBy: identity, at: proved, isDated: presented.identity.isDated, to: session))
        case .refused(let rejection):
            await signIn.charge(presented.price)
            throw rejection
        }
    }

    private func answer(
        linking presented: SignInStore.Presented, to session: SessionSnapshot
    ) async throws(Rejection) -> Linking.Answer {
        // The former team's identity owner must be known before the identity gets an owner here.
        _ = try await signIn.adoptFormer(presented)
        let linking = Linking(presented: presented, session: session, identityID: shared.tools.newID())
        return try await rejecting(logger) {
            try await pool.spending(presented.spending, refused: { .refused($0) }) {
                try await pool.withConnection { connection in try linking.perform(connection) }
            }
        }
    }

    private func signInMethods(of facts: AccessTokenFacts) throws(Rejection) -> [String] {
        signIn.signInMethods(of: try client(of: facts))
    }

    package func unlink(_ identity: UUID, session: SessionSnapshot, caller: Caller) async throws(Rejection) {
        let facts = session.facts
        let answer = try await rejecting(logger) {
            try await store.unlink(
                identity, from: facts.account, session: facts.session, usableProviders: try signInMethods(of: facts),
                client: facts.clientID,
                caller: caller)
        }
        directory.forget(account: facts.account)
        switch answer {
        case .unlinked: return
        case .notFound: throw .notFound
        case .lastCredential: throw .lastCredential
        case .sessionEnded: throw .sessionEnded()
        case .reauthRequired: throw .reauthRequired
        case .stepUpRequired: throw .stepUpRequired
        }
    }
}
