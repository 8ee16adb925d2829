/// How long rows stay that are over, in seconds: what `docs/privacy.md` promises, and what a late second use needs.
enum Retention {
    /// What was used once, beyond its own end: as far as clocks may ever be apart.
    ///
    /// What was forgotten could be used again.
    static let spent: Int32 = 3_600
    /// Codes of a redirect, so that a late second use is recognised.
    static let handoverCodes: Int32 = 86_400
    /// Buckets that are full again.
    static let throttles: Int32 = 3_600
    /// Sessions after the end of their life, so that a late replay is still known for one (30 days).
    static let sessions: Int32 = 30 * 86_400
    /// Messages after they were written, so that a bounce still finds its own (30 days).
    static let messages: Int32 = 30 * 86_400
    /// Changes that can't be undone any more (30 days).
    static let changes: Int32 = 30 * 86_400
    /// Revocations and notifications of providers (60 days).
    static let providerRecords: Int32 = 60 * 86_400
}
