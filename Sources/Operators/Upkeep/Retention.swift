/// The retention of ended or settled rows, in seconds, as promised in `docs/privacy.md` and needed to detect replays.
enum Retention {
    /// The retention of spent values beyond their own expiry: the greatest difference between clocks.
    ///
    /// A deleted value could be used again.
    static let spent: Int32 = 3_600
    /// Requests of devices after their expiry, so that a late poll learns why.
    static let deviceRequests: Int32 = 86_400
    /// Full buckets.
    static let throttles: Int32 = 3_600
    /// Sessions after their end, to recognise a late replay (30 days).
    static let sessions: Int32 = 30 * 86_400
    /// Messages after their creation, so that a bounce finds its message (30 days).
    static let messages: Int32 = 30 * 86_400
    /// Changes after their undo period (30 days).
    static let changes: Int32 = 30 * 86_400
    /// Revocations and notifications of providers (60 days).
    static let providerRecords: Int32 = 60 * 86_400
}
