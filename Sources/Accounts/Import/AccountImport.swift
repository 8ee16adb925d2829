package import Cryptography
import Foundation
import Postgres

/// The result of an import: accounts, and refusals by reason.
package struct ImportSummary: Sendable, Equatable {
    package var accounts: Int
    package var refused: [ImportRefusal: Int] = [:]

    package var refusedLines: Int { refused.values.reduce(0, +) }
}

/// Why an import stopped.
package enum ImportError: Error, Equatable, Sendable {
    /// The run began with another file, or the imported part of the file has changed.
    case anotherFile(run: String)
    /// Another process is running the same import.
    case movedOn(run: String)
}

/// Imports accounts from a file in batches, from the position of the run.
///
/// A batch and the run's position share a transaction, so a killed import resumes without duplicates or gaps.
package struct AccountImport: Sendable {
    private let store: ImportStore
    /// Nil for a dry run, which stores nothing.
    private let run: String?
    private let source: String
    /// Nil for accounts that belong to no app yet.
    private let app: ImportApp?
    private let firebase: FirebaseParameters?
    private let requestID: String

    package init(
        store: ImportStore, run: String?, source: String, app: ImportApp? = nil, firebase: FirebaseParameters?,
        requestID: String
    ) {
        (self.store, self.run, self.source, self.firebase) = (store, run, source, firebase)
        (self.app, self.requestID) = (app, requestID)
    }

    /// Reads to the end; `progress` receives every batch, `refused` every skipped line.
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

    /// Skips the finished lines of the run.
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

    /// False if the line must wait until the batch is written.
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
            let account = try ImportedAccount(line: bytes, firebase: firebase, of: app, now: now)
            if let refusal = rehearsal?.refusal(of: account) { throw refusal }
            guard batch.add(account, now: now) else { return false }
            rehearsal?.remember(account)
            return true
        } catch {
            batch.refuse(error)
            return true
        }
    }

    /// Writes a batch that ends at `position`, and starts the next.
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

    /// A concurrent sign-up may use an address of the batch; then it is judged again.
    private func insisting(_ batch: ImportBatch, _ position: ImportPosition) async throws -> [ImportRefused] {
        var attempts = 5
        while true {
            attempts -= 1
            do {
                return try await store.write(
                    batch, run: run, source: source, digest: position.digest, client: app?.id, requestID: requestID)
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
