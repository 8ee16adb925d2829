import Foundation
import Synchronization

/// Bounds the event streams that one operator's session may have open: each of them asks the database once a second (F11).
final class StreamPlaces: Sendable {
    /// One stream's place: given back when nobody holds it any more, also where the stream never began.
    final class Place: Sendable {
        private let session: UUID
        private let places: StreamPlaces

        fileprivate init(_ session: UUID, _ places: StreamPlaces) {
            (self.session, self.places) = (session, places)
        }

        deinit {
            places.leave(session)
        }
    }

    /// Streams of one session.
    static let limit = 4

    private let counts = Mutex<[UUID: Int]>([:])

    /// Takes a place for a stream of the session.
    ///
    /// - Throws: ``Problem`` 429 for one too many.
    func take(_ session: UUID) throws(Problem) -> Place {
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
