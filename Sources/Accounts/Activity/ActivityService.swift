package import Cryptography
import Foundation
package import Logging
package import Postgres
package import Sessions
package import Vocabulary

/// Lists the events of an account for its account holder.
package struct ActivityService: Sendable {
    package static let greatestPage = 100
    private static let purpose = "activity cursor"
    private let store: ActivityStore
    private let box: SealedBox
    private let logger: Logger

    package init(pool: ConnectionPool, keys: MasterKeys, logger: Logger) {
        store = ActivityStore(pool: pool)
        box = SealedBox(keys)
        self.logger = logger
    }

    package struct Page: Sendable, Equatable {
        package let events: [AccountEvent]
        /// Requests the next page; nil at the end.
        package let cursor: String?
    }

    /// Returns the events of the session's account, newest first.
    package func events(
        of session: SessionSnapshot, cursor: String? = nil, limit: Int = 20
    ) async throws(Rejection) -> Page {
        let account = session.facts.account
        let place = try cursor.map { text throws(Rejection) in try opened(text) }
        let page = try await rejecting(logger) {
            try await store.page(of: account, before: place, limit: min(max(limit, 1), Self.greatestPage))
        }
        return Page(events: page.events, cursor: page.next.map(sealed))
    }

    /// Seals the cursor, because plain log numbers would reveal the activity of the whole service.
    private func sealed(_ place: Int) -> String {
        Base64URL.encode(box.seal(Array(String(place).utf8), purpose: Self.purpose))
    }

    private func opened(_ text: String) throws(Rejection) -> Int {
        guard text.utf8.count <= 256, let sealed = Base64URL.decode(text),
            let bytes = try? box.open(sealed, purpose: Self.purpose),
            let place = Int(String(decoding: bytes, as: UTF8.self))
        else { throw .invalidField(.cursor, .unknown) }
        return place
    }
}
