import ServiceLifecycle

/// Sends the messages of the outbox without a waiting request: notices, failed attempts, and messages of dead servers.
package struct OutboxWorker: Service {
    let medium: Medium
    let lanes: DeliveryLanes
    /// No notification announces the end of a lease or a pause.
    var interval = Duration.seconds(2)

    /// Finishes running deliveries before it returns, unless it is cancelled; other messages stay in the table.
    package func run() async throws {
        let ticks = Task {
            while !Task.isCancelled {
                lanes.wake()
                try? await Task.sleep(for: interval)
            }
        }
        defer { ticks.cancel() }
        for await _ in lanes.wakes.cancelOnGracefulShutdown() {
            // Without a database there is nothing to send, and the next round tries again.
            try? await sendDue()
        }
        lanes.stop()
        await lanes.idle()
    }

    private func sendDue() async throws {
        var room = lanes.roomForClaims()
        while room > 0 {
            let messages = try await lanes.store.claim(medium, atMost: room)
            for message in messages { lanes.start(message) }
            room = messages.count == room ? lanes.roomForClaims() : 0
        }
    }
}
