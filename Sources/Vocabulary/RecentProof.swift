/// The maximum age of a proof for changes of sign-in methods, and for changes by operators.
///
/// Long enough to read a page and type a code, short enough that an abandoned session changes nothing. The database
/// decides (`steps/may_change_factors.sql`, `operators/operator_refusal.sql`).
package enum RecentProof {
    /// In seconds.
    package static let seconds: Int32 = 600

    /// The same, for decisions before an expensive request to a provider.
    package static var interval: Double { Double(seconds) }
}
