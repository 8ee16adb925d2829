/// The limits for repeating a spent refresh token while its successor is unspent.
///
/// Repeats keep an app signed in that lost the answer. `rotate_refresh_token.sql` applies the limits.
package struct RefreshRepeats: Sendable, Equatable {
    /// Seconds in which any number of repeats is allowed.
    package static let window = 10
    /// The upper limit of ``late``, in seconds.
    package static let latest = 86_400
    /// The number of generations in a row that may be repeated late.
    ///
    /// A thief and the account holder who refresh in turns exceed it, so the theft is detected.
    static let maximumLateGenerations: Int32 = 2

    /// Seconds after which a repeat is refused.
    ///
    /// A value up to ``window`` allows no late repeats.
    let late: Int

    /// - Parameter late: in seconds, 0...``latest``; 0 allows repeats within ``window`` only.
    package init(late: Int = latest) {
        self.late = late
    }
}
