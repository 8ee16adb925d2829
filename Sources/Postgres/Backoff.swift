/// The pause before the next attempt to connect: doubling from 50 ms to 2 s.
///
/// Random jitter shortens it by up to half, so that many servers do not reconnect at the same moment.
package enum Backoff {
    static let first = Duration.milliseconds(50)
    static let longest = Duration.seconds(2)

    /// - Parameters:
    ///   - failures: the number of failed attempts, at least 1.
    ///   - chance: a number from 0 up to 1.
    package static func delay(afterFailures failures: Int, chance: Double) -> Duration {
        let doublings = min(max(failures, 1) - 1, 10)
        let full = min(first * (1 << doublings), longest)
        return full * (0.5 + 0.5 * chance)
    }
}
