/// How lately a person must have proved themselves to change how an account is opened, and an operator to change accounts.
///
/// Long enough to read a page and type a code, short enough that a session left open somewhere changes nothing. The
/// database decides (`steps/may_change_factors.sql`, `operators/operator_refusal.sql`).
package enum RecentProof {
    /// In seconds.
    package static let seconds: Int32 = 600

    /// The same, for what is decided before a request to a provider is worth its cost.
    package static var interval: Double { Double(seconds) }
}
