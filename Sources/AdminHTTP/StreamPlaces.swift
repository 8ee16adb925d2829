package import Foundation
package import HTTPServer
import Synchronization

/// Limits the open event streams of one operator session.
///
/// Each stream queries the database once a second (F11).
package final class StreamPlaces: Sendable {
    /// One stream's place.
    ///
    /// Releasing the last reference frees it, even if the stream never began.
    package final class Place: Sendable {
        private let session: UUID
        private let places: StreamPlaces

        fileprivate init(_ session: UUID, _ places: StreamPlaces) {
            (self.session, self.places) = (session, places)
        }

        deinit {
            places.leave(session)
        }
    }

    /// The limit of streams per session.
    static let limit = 4

    private let counts = Mutex<[UUID: Int]>([:])

    package init() {}

    /// Takes a place for a stream of the session.
    ///
    /// - Throws: ``Problem`` 429 above the limit.
    package func take(_ session: UUID) throws(Problem) -> Place {
        let isAdmitted = counts.withLock { counts in
            let count = counts[session, default: 0]
            guard count < Self.limit else { return false }
            counts[session] = count + 1
            return true
        }
        guard isAdmitted else { throw .tooManyStreams }
        return Place(session, self)
    }

    private func leave(_ session: UUID) {
        counts.withLock { counts in
            let rest = counts[session, default: 1] - 1
            counts[session] = rest > 0 ? rest : nil
        }
    }
}
