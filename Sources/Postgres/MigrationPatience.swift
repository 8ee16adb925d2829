/// How a migration waits for tables that other transactions use.
///
/// While it waits for a table, new requests for that table wait behind it. So an attempt gives up soon, and the servers
/// go on until the next one.
package struct MigrationPatience: Sendable {
    /// The longest wait for one lock.
    let lockTimeout: Duration
    /// The same for three attempts of four.
    let shortLockTimeout: Duration
    /// Between two attempts.
    let pause: Duration
    /// At least 1.
    let attempts: Int

    /// Seven minutes.
    ///
    /// PostgreSQL looks for a deadlock after a wait of 1 second (`deadlock_timeout`), and ends the transaction that looks. A
    /// short attempt gives up before a request looks, so that none fails. Only the long one makes an autovacuum give way. It
    /// is shorter than the 5 seconds of a server's statement.
    package static let standard = MigrationPatience(
        lockTimeout: .milliseconds(1_500), shortLockTimeout: .milliseconds(500), pause: .seconds(2), attempts: 150)

    /// - Parameter attempt: from 1.
    func lockTimeout(of attempt: Int) -> Duration { attempt.isMultiple(of: 4) ? lockTimeout : shortLockTimeout }
}
