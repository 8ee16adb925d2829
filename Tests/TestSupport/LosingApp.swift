/// An app that loses answers at random and retries at once or late, but never late in three generations in a row.
package struct LosingApp: Sendable {
    private var (state, second): (UInt64, Int)
    /// The number of generations in a row with a late retry.
    private var late = 0

    package init(seed: UInt64) {
        (state, second) = (seed &* 0x9E37_79B9_7F4A_7C15 | 1, 0)
    }

    /// The seconds at which it presents the token of its next generation: once, and again for every lost answer.
    package mutating func nextSeconds() -> [Int] {
        second += 600 + below(3_600)
        var seconds = [second]
        for _ in 0..<below(3) { seconds.append(second + below(10)) }
        if late < 2, below(2) == 0 {
            late += 1
            for _ in 0...below(2) { seconds.append(second + 10 + below(86_390)) }
        } else {
            late = 0
        }
        seconds[1...].sort()
        second = seconds[seconds.count - 1]
        return seconds
    }

    /// A number from 0 on (SplitMix64).
    private mutating func below(_ bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ mixed >> 31) % UInt64(bound))
    }
}
