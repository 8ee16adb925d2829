import Clients
import Logging
import Postgres
import Synchronization

/// Reloads keys, clients and texts of messages after a change, and retries until it succeeds: giving up would keep revoked ones in use.
///
/// It runs in its own task, so that ended sessions do not wait for it. Reads never overlap. A change during a read
/// causes another read.
final class Rereading: Sendable {
    private struct Due {
        var keys = false
        var clients = false
        var texts = false
        /// Whether the feed works again while missed changes are still being read.
        var isCatchingUp = false
    }

    private let directory: SessionDirectory
    private let clients: ClientRegistry
    private let keys: SigningKeys
    private let keyStore: SigningKeyStore
    private let readTexts: @Sendable () async throws -> Void
    private let logger: Logger
    private let due = Mutex(Due())
    private let wakeUps: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation

    init(
        directory: SessionDirectory, clients: ClientRegistry, keys: SigningKeys, keyStore: SigningKeyStore,
        readTexts: @escaping @Sendable () async throws -> Void, logger: Logger
    ) {
        (self.directory, self.clients, self.keys) = (directory, clients, keys)
        (self.keyStore, self.readTexts, self.logger) = (keyStore, readTexts, logger)
        (wakeUps, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func keysChanged() { note { $0.keys = true } }

    func clientsChanged() { note { $0.clients = true } }

    func textsChanged() { note { $0.texts = true } }

    /// Changes during an outage are unknown, so the directory uses its caches again only after every read.
    func connected() { note { $0 = Due(keys: true, clients: true, texts: true, isCatchingUp: true) } }

    func disconnected() {
        due.withLock { due in
            due.isCatchingUp = false
            directory.setFeed(isUp: false)
        }
    }

    private func note(_ change: (inout Due) -> Void) {
        due.withLock { change(&$0) }
        wake.yield()
    }

    /// Reads until the task is cancelled.
    func run() async {
        for await _ in wakeUps {
            var failures = 0
            while !Task.isCancelled, await !read(afterFailures: failures) {
                failures += 1
                try? await Task.sleep(for: Backoff.delay(afterFailures: failures, chance: .random(in: 0..<1)))
            }
        }
    }

    /// Runs the pending reads.
    ///
    /// - Returns: whether every read succeeded.
    private func read(afterFailures failures: Int) async -> Bool {
        let taken = due.withLock { due in
            defer { (due.keys, due.clients, due.texts) = (false, false, false) }
            return due
        }
        var left = Due()
        // The reads are independent: a failing one delays the other only by its pauses.
        if taken.keys { left.keys = await !succeeds("signing keys", failures, readKeys) }
        if taken.clients { left.clients = await !succeeds("clients", failures, clients.reload) }
        if taken.texts { left.texts = await !succeeds("texts of messages", failures, readTexts) }
        return settle(left)
    }

    private func readKeys() async throws {
        keys.replace(with: try await keyStore.load())
        directory.forgetTokens()
    }

    private func succeeds(_ what: String, _ failures: Int, _ read: () async throws -> Void) async -> Bool {
        do {
            try await read()
            return true
        } catch {
            if failures % 16 == 0, !Task.isCancelled {
                let reason = (error as? PostgresError)?.diagnostic ?? "\(type(of: error))"
                logger.warning("\(what) could not be read again; repeated", metadata: ["reason": "\(reason)"])
            }
            return false
        }
    }

    /// Records failed reads.
    ///
    /// Once none is left, the directory may use its caches.
    private func settle(_ left: Due) -> Bool {
        due.withLock { due in
            (due.keys, due.clients) = (due.keys || left.keys, due.clients || left.clients)
            due.texts = due.texts || left.texts
            if due.isCatchingUp, !due.keys, !due.clients {
                due.isCatchingUp = false
                directory.setFeed(isUp: true)
            }
            return !left.keys && !left.clients && !left.texts
        }
    }
}
