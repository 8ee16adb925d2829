@testable import Postgres

extension NotificationListener {
    /// The events without the signs of life, which arrive at any time.
    var news: News { News(events: events.makeAsyncIterator()) }

    struct News {
        var events: AsyncStream<Event>.Iterator

        mutating func next(isolation: isolated (any Actor)? = #isolation) async -> Event? {
            while let event = await events.next(isolation: isolation) {
                if case .alive = event { continue }
                return event
            }
            return nil
        }
    }
}
