import Synchronization

/// New ids of traces and spans.
///
/// They count from a random start, mixed so that neighbours differ. An id is no secret, and a random number for each would
/// be a call of the system.
package enum SpanID {
    private static let starts = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))
    private static let count = Atomic<UInt64>(0)

    /// The id of a span: never zero.
    package static func make() -> UInt64 {
        let id = mixed(starts.0 &+ next())
        return id == 0 ? make() : id
    }

    static func makeTrace() -> TraceID {
        let number = next()
        let id = TraceID(high: mixed(starts.1 &+ number), low: mixed(starts.0 ^ starts.1 &+ number))
        return id.high | id.low == 0 ? makeTrace() : id
    }

    private static func next() -> UInt64 { count.wrappingAdd(1, ordering: .relaxed).newValue }

    /// The finaliser of SplitMix64: different numbers stay different.
    private static func mixed(_ number: UInt64) -> UInt64 {
        var mixed = number &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
