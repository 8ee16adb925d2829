package import Cryptography
import Foundation
import Postgres

/// What an import has made, and refused for which reasons.
package struct ImportSummary: Sendable, Equatable {
    package var accounts: Int
    package var refused: [ImportRefusal: Int] = [:]

    package var refusedLines: Int { refused.values.reduce(0, +) }
}

/// Why an import stopped.
package enum ImportError: Error, Equatable, Sendable {
    /// The run began with another file, or the file has changed in a part that was imported.
    case anotherFile(run: String)
    /// Another process is at work on the same run.
    case movedOn(run: String)
}

/// Brings accounts from a file into the database, in batches, from where the run has come to.
///
/// A batch and the run's position are one transaction: killed at any moment, the import goes on with no line twice and none
/// left out.
package struct AccountImport: Sendable {
    private let store: ImportStore
    /// Nil for a rehearsal, which keeps nothing.
    private let run: String?
    private let source: String
    private let firebase: FirebaseParameters?
    private let requestID: String
    private let random: RandomBytes

    package init(
        store: ImportStore, run: String?, source: String, firebase: FirebaseParameters?, requestID: String,
        random: RandomBytes = .system
    ) {
        (self.store, self.run, self.source, self.firebase) = (store, run, source, firebase)
        (self.requestID, self.random) = (requestID, random)
    }

    /// Reads to the end; `progress` hears of every batch, `refused` of every line that was left out of it.
    package func run(
        _ reader: inout LineReader,
        progress: (_ position: ImportPosition, _ bytes: Int, _ summary: ImportSummary) -> Void,
        refused: (ImportRefused) throws -> Void
    ) async throws -> ImportSummary {
        var position = try await goOn(&reader)
        var summary = ImportSummary(accounts: 0)
        if let run { summary = try await store.summary(run) }
        var batch = ImportBatch(after: position.lines)
        var before = position
        var rehearsal = run == nil ? ImportRehearsal() : nil
        while let line = try reader.next() {
            before = position
            position.advance(over: line)
            if !read(line, into: &batch, &rehearsal) {
                try await write(&batch, before, &summary, refused)
                _ = read(line, into: &batch, &rehearsal)
            }
            guard batch.isFull else { continue }
            try await write(&batch, position, &summary, refused)
            progress(position, reader.bytesRead, summary)
        }
        try await write(&batch, position, &summary, refused)
        progress(position, reader.bytesRead, summary)
        return summary
    }

    /// Passes over the lines that the run is done with.
    private func goOn(_ reader: inout LineReader) async throws -> ImportPosition {
        guard let run else { return .start }
        let reached = try await store.open(run)
        var position = ImportPosition.start
        while position.lines < reached.lines, let line = try reader.next() {
            position.advance(over: line)
        }
        guard position == reached else { throw ImportError.anotherFile(run: run) }
        return position
    }

    /// False when the line must wait for the batch to be written.
    private func read(
        _ line: LineReader.Line, into batch: inout ImportBatch, _ rehearsal: inout ImportRehearsal?
    ) -> Bool {
        guard case .bytes(let bytes) = line else {
            batch.refuse(.lineTooLong)
            return true
        }
        guard !bytes.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) else {
            batch.skip()
            return true
        }
        let now = Date()
        do throws(ImportRefusal) {
            let account = try ImportedAccount(line: bytes, firebase: firebase, now: now)
            if let refusal = rehearsal?.refusal(of: account) { throw refusal }
            guard batch.add(account, now: now, random: random) else { return false }
            rehearsal?.remember(account)
            return true
        } catch {
            batch.refuse(error)
            return true
        }
    }

    /// Writes a batch that ends at `position`, and begins the next.
    private func write(
        _ batch: inout ImportBatch, _ position: ImportPosition, _ summary: inout ImportSummary,
        _ tell: (ImportRefused) throws -> Void
    ) async throws {
        guard !batch.isEmpty else { return }
        let refused = try await insisting(batch, position)
        summary.accounts += batch.accounts.count - refused.count
        for line in (refused + batch.unread).sorted(by: { $0.line < $1.line }) {
            summary.refused[line.reason, default: 0] += 1
            try tell(line)
        }
        batch = ImportBatch(after: position.lines)
    }

    /// Somebody may sign up with an address of the batch at the same moment: then it is judged again.
    private func insisting(_ batch: ImportBatch, _ position: ImportPosition) async throws -> [ImportRefused] {
        var attempts = 5
        while true {
            attempts -= 1
            do {
                return try await store.write(
                    batch, run: run, source: source, digest: position.digest, requestID: requestID)
            } catch let error as PostgresError where error.state == .raisedException {
                throw ImportError.movedOn(run: run ?? "")
            } catch let error as PostgresError
                where attempts > 0 && (error.isRepeatable || error.state == .uniqueViolation)
            {
                continue
            }
        }
    }
}
