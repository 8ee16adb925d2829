import Cryptography
import Foundation
package import Logging
package import Postgres
import ServiceLifecycle

/// Hears what other servers and operators changed, and lets nobody here believe something older.
package struct ChangeFeed: Service {
    package static let channels = ["gateway_sessions", "gateway_keys", "gateway_clients", "gateway_outbox"]

    private let listener: NotificationListener
    private let directory: SessionDirectory
    private let clients: ClientRegistry
    private let keys: SigningKeys
    private let keyStore: SigningKeyStore
    private let outbox: Outbox
    private let logger: Logger

    package init(
        listener: NotificationListener, directory: SessionDirectory, clients: ClientRegistry, keys: SigningKeys,
        keyStore: SigningKeyStore, outbox: Outbox, logger: Logger
    ) {
        (self.listener, self.directory, self.clients) = (listener, directory, clients)
        (self.keys, self.keyStore, self.outbox, self.logger) = (keys, keyStore, outbox, logger)
    }

    package func run() async throws {
        for await event in listener.events.cancelOnGracefulShutdown() {
            switch event {
            case .connected: await catchUp()
            case .disconnected: directory.hearsChanges(false)
            case .notification("gateway_sessions", let payload): forget(payload)
            case .notification("gateway_keys", _): await reloadKeys()
            case .notification("gateway_clients", _): await reloadClients()
            case .notification("gateway_outbox", _): outbox.wake()
            case .notification: break
            }
        }
    }

    /// What happened while nobody listened is unknown: read all again.
    private func catchUp() async {
        await reloadKeys()
        await reloadClients()
        outbox.wake()
        directory.hearsChanges(true)
    }

    private func forget(_ payload: String) {
        guard payload != "all" else { return directory.forgetSessions() }
        let parts = payload.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let id = UUID(text: String(parts[1])) else { return }
        if parts[0] == "session" { directory.forget(session: id) } else { directory.forget(account: id) }
    }

    private func reloadKeys() async {
        do {
            keys.replace(with: try await keyStore.load())
            directory.forgetTokens()
        } catch {
            logger.warning("signing keys could not be read again")
        }
    }

    private func reloadClients() async {
        do { try await clients.reload() } catch { logger.warning("clients could not be read again") }
    }
}
