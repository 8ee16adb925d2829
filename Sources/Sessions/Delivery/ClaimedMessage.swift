import Foundation

/// For how long a message is one server's alone.
enum Lease {
    static let seconds = 30
    /// Sending takes this long at most, and is not begun when the lease might end before.
    static let sending = Duration.seconds(15)
    static let lastStart = Duration.seconds(seconds) - sending - .seconds(3)
}

/// A message that this server, and no other, may send until its lease ends.
struct ClaimedMessage: Sendable {
    let id: UUID
    let destination: Destination
    let content: MessageContent
    /// A tag of BCP 47; nil for the service's own language.
    let language: String?
    /// Counts the claims, this one included: a claim that was lost settles nothing.
    let tries: Int
    let claimedAt: ContinuousClock.Instant

    /// Whether there is time to send it before another server may take it.
    func isStillOurs(at now: ContinuousClock.Instant) -> Bool {
        now - claimedAt < Lease.lastStart
    }
}
