import Foundation
import TestSupport
import Testing

@testable import Postgres

@Suite struct DatabaseClockTests {
    @Test("N3: a clock is corrected by its difference to the database's", arguments: [-300.0, 0, 300])
    func corrected(by seconds: Double) async throws {
        try await withTestDatabase(migrated: false) { database in
            let clock = DatabaseClock(limit: 60) { Date().addingTimeInterval(-seconds) }
            #expect(clock.isSound)
            let offset = try await clock.compare(with: database.pool)
            // Half of an answer's time, on a busy machine.
            #expect(abs(offset - seconds) < 5)
            #expect(abs(clock.now.timeIntervalSinceNow) < 5)
            #expect(clock.isSound == (seconds == 0))
        }
    }

    @Test("N3: the limit counts in both directions", arguments: [(60.0, true), (-60, true), (61, false), (-61, false)])
    func limit(offset: Double, isSound: Bool) {
        let clock = DatabaseClock(limit: 60)
        clock.note(offset)
        #expect(clock.isSound == isSound)
    }
}
