package import Foundation
package import Providers

/// Exchanges transfer subjects for the subjects of this team.
///
/// Each is one transaction; finished lines are skipped, so a stopped run can be resumed.
package struct TransferImport: Sendable {
    private let store: TransferStore
    private let apple: TeamTransferCalls
    private let requestID: String
    /// Whether to send no requests and change nothing.
    private let isDry: Bool

    package init(
        store: TransferStore, transfer: AppleTeamTransfer, pause: Duration, requestID: String, isDry: Bool
    ) {
        (self.store, self.requestID, self.isDry) = (store, requestID, isDry)
        apple = TeamTransferCalls(transfer: transfer, pause: pause)
    }

    /// - Parameters:
    ///   - total: the number of lines.
    ///   - conflict: receives each identity that could not be exchanged.
    package func run(
        _ reader: inout LineReader, total: Int, conflict: (UUID) -> Void, progress: (TransferProgress) -> Void
    ) async throws -> TransferProgress {
        var state = TransferProgress(total: total)
        while let line = try reader.next() {
            guard case .bytes(let bytes) = line, let line = TransferLine(bytes) else {
                state.count("malformed")
                continue
            }
            let outcome = try await perform(line)
            if outcome == TransferStore.Outcome.conflict.rawValue { conflict(line.identity) }
            state.count(outcome)
            progress(state)
        }
        return state
    }

    private func perform(_ line: TransferLine) async throws -> String {
        let (provider, realm) = (ProviderID.apple.rawValue, apple.transfer.teamID)
        if let outcome = try await store.outcome(of: line.identity, provider, in: realm) { return outcome.rawValue }
        guard !isDry else { return TransferStore.Outcome.moved.rawValue }
        let person = try await apple.ask { transfer, token, now throws(ProviderError) in
            try await transfer.person(for: line.transferSubject, by: token, at: now)
        }
        guard let person else { return "refused" }
        return try await store.move(
            line.identity, provider, line.transferSubject, to: realm, as: person.subject,
            relayAddress: person.relayAddress, requestID: requestID
        ).rawValue
    }
}
