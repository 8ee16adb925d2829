import Clients
package import Cryptography
package import Foundation
package import Logging
package import Postgres
import Providers
package import Sessions
package import Vocabulary

/// Merges two accounts of one user, who proved both within ten minutes; undo is possible for seven days.
///
/// The account of the requesting session stays and absorbs the other (`merging/merge_own_accounts.sql`).
package final class MergeService: Sendable {
    private let store: MergeStore
    private let accounts: AccountStore
    private let tickets: MergeTickets
    private let directory: SessionDirectory
    /// The usable sign-in methods: a merge must leave the account at least one.
    private let signInMethods: [String]
    private let logger: Logger
    private let now: @Sendable () -> Date

    package init(
        pool: ConnectionPool, keys: MasterKeys, directory: SessionDirectory, signInMethods: [String], logger: Logger,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        (store, accounts, tickets) = (MergeStore(pool: pool), AccountStore(pool: pool), MergeTickets(keys: keys))
        (self.directory, self.signInMethods, self.logger, self.now) = (directory, signInMethods, logger, now)
    }

    // MARK: Proving both

    /// Makes a ticket after a provider verified the user as the owner of another account.
    ///
    /// - Parameters:
    ///   - provedAt: the time of the user's last proof at the provider.
    ///   - isDated: whether the provider stated that time.
    /// - Returns: nil if that account demands more than this one proof, or if the proof is too old.
    package func ticket(
        provedBy identity: UUID, at provedAt: Date, isDated: Bool, to session: SessionSnapshot
    ) async throws(Rejection) -> String? {
        guard now().timeIntervalSince(provedAt) < RecentProof.interval else { return nil }
        let kept = session.facts.account
        let absorbed = try await rejecting(logger) {
            try await store.mergeable(by: identity, into: kept, isDated: isDated)
        }
        return absorbed.map { tickets.text(ticket(absorbed: $0, .identity(identity), provedAt, session)) }
    }

    /// Makes a ticket from a session of the other account.
    ///
    /// - Parameter token: that session's access token, from the same app; bound to the key of the request, if that proved one.
    /// - Returns: the ticket, and its lifetime in seconds.
    package func ticket(provedBy token: String, to session: SessionSnapshot, caller: Caller) async throws(Rejection)
        -> (ticket: String, expiresIn: Int)
    {
        let other = try await proved(PresentedToken(token, provedBy: caller.key))
        guard other.facts.clientID == session.facts.clientID else { throw .invalidField(.accessToken, .ofAnotherApp) }
        guard other.facts.account != session.facts.account else { throw .invalidField(.accessToken, .sameAccount) }
        let ticket = ticket(absorbed: other.facts.account, .session(other.facts.session), other.facts.authTime, session)
        do throws(Rejection) {
            _ = try await outcome(ticket, nil, session, caller)
        } catch .flowExpired {
            // The requesting session already passed this check, so the fault lies with the other one.
            throw .invalidField(.accessToken, other.isFresh(at: now()) ? .stepUpRequired : .reauthRequired)
        }
        return (tickets.text(ticket), max(Int(ticket.expires.timeIntervalSince(now())), 1))
    }

    private func proved(_ token: PresentedToken) async throws(Rejection) -> SessionSnapshot {
        do throws(Rejection) {
            return try await directory.check(token, for: .account, at: now())
        } catch .tokenInvalid, .tokenMalformed, .tokenExpired, .sessionEnded {
            throw .invalidField(.accessToken, .noLiveSession)
        }
    }

    private func ticket(absorbed: UUID, _ proof: MergeTicket.Proof, _ provedAt: Date, _ session: SessionSnapshot)
        -> MergeTicket
    {
        MergeTicket(
            kept: session.facts.account, absorbed: absorbed, proof: proof, client: session.facts.clientID,
            expires: provedAt.addingTimeInterval(RecentProof.interval))
    }

    // MARK: Merging

    /// Previews a merge: performs it and rolls it back.
    package func preview(_ text: String, session: SessionSnapshot, caller: Caller) async throws(Rejection)
        -> MergePreview
    {
        let ticket = try tickets.open(text, for: session, at: now())
        let report = try await outcome(ticket, spending(text, ticket), session, caller)
        let identities = try await rejecting(logger) { try await accounts.identities(ticket.absorbed) }
        return MergePreview(report, identities: identities)
    }

    /// Merges the accounts; with the preview's `digest`, it refuses if either account changed since.
    package func merge(
        _ text: String, expecting digest: String, session: SessionSnapshot, caller: Caller
    ) async throws(Rejection) -> OwnMerge {
        let ticket = try tickets.open(text, for: session, at: now())
        let change = UUID.v7(at: now(), random: .system)
        _ = try await outcome(ticket, spending(text, ticket), doing: change, expecting: digest, session, caller)
        directory.forget(account: ticket.kept)
        directory.forget(account: ticket.absorbed)
        let merges = try await merges(of: session)
        guard let done = merges.first(where: { $0.id == change }) else { throw .internalError }
        return done
    }

    private func spending(_ text: String, _ ticket: MergeTicket) -> Spending {
        Spending(
            kind: .state, digest: SHA256.hash("merge ticket " + text),
            end: .itsOwn(ticket.expires.addingTimeInterval(60)))
    }

    /// - Parameter change: the id of the change; nil for a preview.
    private func outcome(
        _ ticket: MergeTicket, _ spending: Spending?, doing change: UUID? = nil, expecting digest: String? = nil,
        _ session: SessionSnapshot, _ caller: Caller
    ) async throws(Rejection) -> MergeStore.Report {
        let answer = try await rejecting(logger) {
            try await store.merge(
                ticket, expecting: digest, change: change, spending: spending.map { [$0] } ?? [],
                session: session.facts.session, caller: caller)
        }
        switch answer {
        case .done(let report): return report
        case .refused(let outcome): throw Rejection(outcome)
        }
    }

    // MARK: Undo

    /// Returns the user's own merges that can be undone today, newest first.
    package func merges(of session: SessionSnapshot) async throws(Rejection) -> [OwnMerge] {
        try await rejecting(logger) { try await store.merges(of: session.facts.account) }
    }

    /// Undoes a merge: restores the absorbed account and ends every session of the other, including this one.
    package func undo(_ change: UUID, session: SessionSnapshot, caller: Caller) async throws(Rejection) {
        let facts = session.facts
        let undoing = try await rejecting(logger) {
            try await store.undo(
                change, of: facts.account, session: facts.session, signInMethods: signInMethods, client: facts.clientID,
                caller: caller)
        }
        directory.forget(account: facts.account)
        if case .refused(let rejection) = undoing { throw rejection }
    }
}
