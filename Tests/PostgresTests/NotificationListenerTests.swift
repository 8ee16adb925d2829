import TestSupport
import Testing

@testable import Postgres

@Suite struct NotificationListenerTests {
    @Test("notifications arrive in order, only from the requested channels, spelt exactly")
    func channels() async throws {
        try await withTestDatabase(migrated: false) { database in
            let listener = NotificationListener(
                configuration: database.configuration(), channels: ["one", "Two\"; x"], logger: .silent)
            listener.start()
            var events = listener.news
            #expect(await events.next() == .connected)
            try await database.pool.withConnection { connection in
                for (channel, payload) in [("one", "1"), ("two", "no"), ("Two\"; x", "2"), ("one", "")] {
                    try connection.execute("select pg_notify(\(channel), \(payload))")
                }
            }
            #expect(await events.next() == .notification(channel: "one", payload: "1"))
            #expect(await events.next() == .notification(channel: "Two\"; x", payload: "2"))
            #expect(await events.next() == .notification(channel: "one", payload: ""))
            await listener.shutdown()
        }
    }

    @Test("a reader that falls far behind has to reload")
    func overflow() async throws {
        try await withTestDatabase(migrated: false) { database in
            let listener = NotificationListener(
                configuration: database.configuration(), channels: ["one"], logger: .silent)
            listener.start()
            while !listener.isConnected { try await Task.sleep(for: .milliseconds(1)) }
            var events = listener.news
            var sawLoss = false
            // On a busy machine, the reader may keep up with one batch, but not with every one.
            for batch in 1...50 where !sawLoss {
                try await database.pool.withConnection { connection in
                    try connection.execute("select pg_notify('one', n::text) from generate_series(1, 3000) n")
                    try connection.execute("select pg_notify('one', \("end of \(batch)"))")
                }
                while let event = await events.next(),
                    event != .notification(channel: "one", payload: "end of \(batch)")
                {
                    if event == .disconnected { sawLoss = true }
                    if event == .connected && sawLoss { break }
                }
            }
            #expect(sawLoss)
            await listener.shutdown()
        }
    }

    @Test("as a service the listener ends with its group")
    func service() async throws {
        try await withTestDatabase(migrated: false) { database in
            let listener = NotificationListener(
                configuration: database.configuration(), channels: ["one"], logger: .silent)
            let running = Task { try await listener.run() }
            while !listener.isConnected { try await Task.sleep(for: .milliseconds(1)) }
            running.cancel()
            try await running.value
            #expect(!listener.isConnected)
        }
    }

    @Test("K2: a sign of life confirms all earlier notifications, and arrives during a flood of them")
    func alive() async throws {
        try await withTestDatabase(migrated: false) { database in
            let listener = NotificationListener(
                configuration: database.configuration(), channels: ["one"], logger: .silent)
            listener.start()
            let pouring = Task {
                while !Task.isCancelled {
                    try await database.pool.withConnection { _ = try $0.execute("select pg_notify('one', '')") }
                    try await Task.sleep(for: .milliseconds(5))
                }
            }
            var signs: [ContinuousClock.Instant] = []
            for await event in listener.events {
                if case .alive(let time) = event { signs.append(time) }
                if signs.count == 4 { break }
            }
            pouring.cancel()
            #expect(signs == signs.sorted())
            #expect(signs.allSatisfy { $0 <= .now })
            await listener.shutdown()
        }
    }
}
