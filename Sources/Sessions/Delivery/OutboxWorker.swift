import ServiceLifecycle

/// Sends what waits in the outbox and no request waits for: notices, what failed before, and what a server that died left
/// behind.
package struct OutboxWorker: Service {
    let medium: Medium
    let lanes: DeliveryLanes
    /// Leases run out, and pauses end, without anybody saying so.
    var interval = Duration.seconds(2)

    /// Ends what is under way before it returns, unless it is cancelled; what isn't under way yet stays in the table.
    package func run() async throws {
        let ticks = Task {
            while !Task.isCancelled {
                lanes.wake()
                try? await Task.sleep(for: interval)
            }
        }
        defer { ticks.cancel() }
        for await _ in lanes.wakes.cancelOnGracefulShutdown() {
            // Without a database there is nothing to send; it is asked again soon.
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
