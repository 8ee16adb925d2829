import Foundation

/// The lease of a message.
enum Lease {
    static let seconds = 30
    /// The maximum time of sending, which does not begin if the lease might expire before its end.
    static let sending = Duration.seconds(15)
    static let lastStart = Duration.seconds(seconds) - sending - .seconds(3)
}

/// A message that only this server may send until its lease expires.
struct ClaimedMessage: Sendable {
    let id: UUID
    let destination: Destination
    let content: MessageContent
    /// A tag of BCP 47; nil for the service's default language.
    let language: String?
    /// The app that it belongs to; nil for none.
    let client: String?
    /// Counts the leases, including this one: a server with a lost lease settles nothing.
    let tries: Int
    let claimedAt: ContinuousClock.Instant

    /// Whether enough time is left to send it before the lease expires.
    func isStillOurs(at now: ContinuousClock.Instant) -> Bool {
        now - claimedAt < Lease.lastStart
    }
}
