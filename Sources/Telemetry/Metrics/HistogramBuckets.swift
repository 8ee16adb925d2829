/// The upper bounds of a histogram's buckets, equal for all histograms of one kind.
package struct HistogramBuckets: Sendable, Equatable {
    let bounds: [Double]

    /// In seconds, from the fastest cached answer to the longest time limit of a provider.
    package static let seconds = HistogramBuckets(bounds: [
        0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ])

    /// Counts and sizes, in powers of four.
    static let sizes = HistogramBuckets(bounds: [
        1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576,
    ])

    /// The bucket of a value; `bounds.count` above the last bound.
    func index(of value: Double) -> Int {
        bounds.firstIndex { value <= $0 } ?? bounds.count
    }
}
