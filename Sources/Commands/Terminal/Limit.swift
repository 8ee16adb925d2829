import ArgumentParser

/// A number of the command line with bounds.
enum Limit {
    /// - Throws: `ValidationError` that names the option and its bounds.
    static func require(_ number: Int, in bounds: ClosedRange<Int>, of option: String = "--limit") throws {
        guard bounds.contains(number) else {
            throw ValidationError("\(option) takes \(bounds.lowerBound) to \(bounds.upperBound).")
        }
    }
}
