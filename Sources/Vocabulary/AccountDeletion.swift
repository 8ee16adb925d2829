package import Foundation

/// A pending deletion of an account.
package struct AccountDeletion: Sendable, Equatable {
    package let requestedAt: Date
    /// The deletion happens at this time; until then it can be cancelled.
    package let dueAt: Date

    package init(requestedAt: Date, dueAt: Date) {
        (self.requestedAt, self.dueAt) = (requestedAt, dueAt)
    }

    /// Nil if one of the two is missing: nothing is pending.
    package init?(requestedAt: Date?, dueAt: Date?) {
        guard let requestedAt, let dueAt else { return nil }
        self.init(requestedAt: requestedAt, dueAt: dueAt)
    }
}
