package import Clients
import Foundation
import JSON
package import Logging
package import Messages
package import Postgres
import ServiceLifecycle

/// Receives change notifications from the database and drops outdated cache entries.
package struct ChangeFeed: Service {
    package static let channels = [
        "gateway_sessions", "gateway_keys", "gateway_clients", "gateway_messages", "gateway_outbox",
    ]

    private let listener: NotificationListener
    private let directory: SessionDirectory
    private let rereading: Rereading
    private let outbox: Outbox

    /// - Parameter readTexts: reads the changed texts of messages.
    package init(
        listener: NotificationListener, directory: SessionDirectory, clients: ClientRegistry, keys: SigningKeys,
        keyStore: SigningKeyStore, outbox: Outbox, readTexts: @escaping @Sendable () async throws -> Void = {},
        logger: Logger
    ) {
        (self.listener, self.directory, self.outbox) = (listener, directory, outbox)
        rereading = Rereading(
            directory: directory, clients: clients, keys: keys, keyStore: keyStore, readTexts: readTexts,
            logger: logger)
    }

    package func run() async throws {
        await withDiscardingTaskGroup { group in
            group.addTask { await rereading.run() }
            for await event in listener.events.cancelOnGracefulShutdown() { hear(event) }
            group.cancelAll()
        }
    }

    /// Must not wait: until it returns, an ended session counts as live.
    private func hear(_ event: NotificationListener.Event) {
        switch event {
        case .connected:
            rereading.connected()
            outbox.wake()
        case .disconnected: rereading.disconnected()
        case .alive(let time): directory.feedIsComplete(at: time)
        case .notification("gateway_sessions", let payload): forget(payload)
        case .notification("gateway_keys", _): rereading.keysChanged()
        case .notification("gateway_clients", _): rereading.clientsChanged()
        case .notification("gateway_messages", _): rereading.textsChanged()
        case .notification("gateway_outbox", _): outbox.wake()
        case .notification: break
        }
    }

    private func forget(_ payload: String) {
        guard payload != "all" else { return directory.forgetSessions() }
        let parts = payload.split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { return }
        if parts[0] == "client" { return directory.forget(client: String(parts[1])) }
        guard let id = UUID(text: String(parts[1])) else { return }
        if parts[0] == "session" { directory.forget(session: id) } else { directory.forget(account: id) }
    }
}
