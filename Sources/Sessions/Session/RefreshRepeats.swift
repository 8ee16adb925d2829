/// How long a spent refresh token may come again while its successor is unspent.
///
/// An app whose answer was lost is not signed out. `rotate_refresh_token.sql` decides.
package struct RefreshRepeats: Sendable, Equatable {
    /// For so many seconds a repeat is free.
    package static let window = 10
    /// A repeat may come no later than this many seconds, whatever is configured.
    package static let latest = 86_400
    /// Generations in a row that may be repeated late.
    ///
    /// A thief who refreshes in turns with the owner repeats one after the other: this is what finds them.
    static let mostLate: Int32 = 2

    /// Seconds after which no repeat is taken; not above ``window``: no late repeat is.
    let late: Int

    /// - Parameter late: in seconds, 0...``latest``; 0 leaves the fixed window alone.
    package init(late: Int = latest) {
        self.late = late
    }
}
