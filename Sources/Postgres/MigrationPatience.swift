/// How a migration waits for tables that other transactions use.
///
/// While it waits for a table, new requests for that table wait behind it. So an attempt gives up soon, and the servers
/// go on until the next one.
package struct MigrationPatience: Sendable {
    /// The longest wait for one lock.
    let lockTimeout: Duration
    /// Between two attempts.
    let pause: Duration
    /// At least 1.
    let attempts: Int

    /// Nine minutes.
    ///
    /// A lock timeout longer than PostgreSQL's `deadlock_timeout` of 1 second: only then does an autovacuum give way. It is
    /// shorter than the 5 seconds of a server's statement.
    package static let standard = MigrationPatience(
        lockTimeout: .milliseconds(1_500), pause: .seconds(2), attempts: 150)
}
