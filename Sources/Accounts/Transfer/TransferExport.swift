package import Foundation
package import Providers

/// The progress of a transfer.
package struct TransferProgress: Sendable, Equatable {
    package var total: Int
    package var done = 0
    /// By outcome: `written` and `refused`, or a ``TransferStore/Outcome``.
    package var outcomes: [String: Int] = [:]

    package init(total: Int) { self.total = total }

    mutating func count(_ outcome: String) {
        done += 1
        outcomes[outcome, default: 0] += 1
    }
}

/// Requests transfer subjects from the old team's Apple, and writes them line by line.
///
/// The answer is stored in the database before the line is written, so a resumed run repeats no request.
package struct TransferExport: Sendable {
    private let store: TransferStore
    private let apple: TeamTransferCalls
    private let target: String

    package init(store: TransferStore, transfer: AppleTeamTransfer, target: String, pause: Duration) {
        (self.store, self.target) = (store, target)
        apple = TeamTransferCalls(transfer: transfer, pause: pause)
    }

    /// - Parameters:
    ///   - written: the identities that an earlier run has written.
    ///   - write: writes one line, and returns when it is safe.
    package func run(
        except written: Set<UUID>, write: (TransferLine) throws -> Void, progress: (TransferProgress) -> Void
    ) async throws {
        let (provider, realm) = (ProviderID.apple.rawValue, apple.transfer.teamID)
        var state = TransferProgress(total: try await store.count(provider, of: realm))
        var last: UUID?
        while true {
            let people = try await store.people(provider, of: realm, goingTo: target, after: last, atMost: 200)
            guard let end = people.last else { break }
            for person in people {
                if written.contains(person.identity) {
                    state.count("written")
                } else if let subject = try await transferSubject(of: person) {
                    try write(TransferLine(identity: person.identity, transferSubject: subject))
                    state.count("written")
                } else {
                    state.count("refused")
                }
                progress(state)
            }
            last = end.identity
        }
        progress(state)
    }

    /// Nil if Apple doesn't transfer the identity.
    private func transferSubject(of person: TransferStore.Person) async throws -> String? {
        if let known = person.transferSubject { return known }
        let subject = try await apple.ask { transfer, token, now throws(ProviderError) in
            try await transfer.transferSubject(of: person.subject, to: target, by: token, at: now)
        }
        if let subject { try await store.keep(subject, for: person, goingTo: target) }
        return subject
    }
}

/// Sequential calls of a transfer, with a fresh access token and retries while the provider is down.
final class TeamTransferCalls: Sendable {
    let transfer: AppleTeamTransfer
    private let pause: Duration
    private let token = TokenSlot()

    private static let mostTries = 5

    init(transfer: AppleTeamTransfer, pause: Duration) { (self.transfer, self.pause) = (transfer, pause) }

    /// Nil if the provider permanently refuses the identity.
    func ask<Answer: Sendable>(
        _ call: (AppleTeamTransfer, AppleTeamTransfer.AccessToken, Date) async throws(ProviderError) -> Answer
    ) async throws -> Answer? {
        for tries in 1... {
            do throws(ProviderError) {
                let now = Date()
                let token = try await token.current(of: transfer, at: now)
                let answer = try await call(transfer, token, now)
                try? await Task.sleep(for: pause)
                return answer
            } catch {
                if case .refused = error { return nil }
                guard case .unavailable(_, let seconds) = error, tries < Self.mostTries else { throw error }
                try await Task.sleep(for: .seconds(seconds))
            }
        }
        return nil
    }
}

/// The current access token, renewed before it expires.
private actor TokenSlot {
    private var token: AppleTeamTransfer.AccessToken?

    func current(
        of transfer: AppleTeamTransfer, at now: Date
    ) async throws(ProviderError) -> AppleTeamTransfer.AccessToken {
        if let token, token.isGood(at: now) { return token }
        let fresh = try await transfer.accessToken(at: now)
        token = fresh
        return fresh
    }
}
