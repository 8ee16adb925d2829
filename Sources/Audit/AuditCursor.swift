import Foundation

/// A position in the log: a time and an id, in an opaque text form.
package struct AuditCursor: Sendable, Equatable {
    let at: Date
    let id: Int

    init(at: Date, id: Int) {
        (self.at, self.id) = (at, id)
    }

    /// Reads ``text``; nil for any other text.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0, radix: 16) }
        guard parts.count == 2, let microseconds = parts[0], let id = parts[1], text.utf8.count <= 34,
            Self.times.contains(microseconds), id >= 0
        else { return nil }
        self.init(at: Date(microseconds: microseconds), id: id)
    }

    /// From 1970 to the end of the year 9999, in microseconds, so that arithmetic can't overflow.
    private static let times = 0...253_402_300_799_999_999

    package var text: String { String(at.microseconds, radix: 16) + "." + String(id, radix: 16) }
}

/// Some rows of the log, newest first.
package struct AuditPage: Sendable, Equatable {
    package let events: [AuditEvent]
    /// The cursor of the next page; nil at the end.
    ///
    /// A page may be short or empty although more follow: rare rows are searched in limited pieces of the log.
    package let next: AuditCursor?
}
