/// How long to wait before the next attempt to connect: doubling from 50 ms to 2 s, shortened by chance to as little as
/// half, so that many servers don't come back in step.
package enum Backoff {
    static let first = Duration.milliseconds(50)
    static let longest = Duration.seconds(2)

    /// - Parameters:
    ///   - failures: attempts that have failed so far, at least 1.
    ///   - chance: a number from 0 up to 1.
    package static func delay(afterFailures failures: Int, chance: Double) -> Duration {
        let doublings = min(max(failures, 1) - 1, 10)
        let full = min(first * (1 << doublings), longest)
        return full * (0.5 + 0.5 * chance)
    }
}
