package import Foundation

/// The deletion of an account that waits for its day.
package struct AccountDeletion: Sendable, Equatable {
    package let requestedAt: Date
    /// From then on it is carried out; until then it can be taken back.
    package let dueAt: Date

    package init(requestedAt: Date, dueAt: Date) {
        (self.requestedAt, self.dueAt) = (requestedAt, dueAt)
    }

    /// Nil where one of the two is missing: nothing waits.
    package init?(requestedAt: Date?, dueAt: Date?) {
        guard let requestedAt, let dueAt else { return nil }
        self.init(requestedAt: requestedAt, dueAt: dueAt)
    }
}
