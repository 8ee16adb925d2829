/// A failure of a test's environment, in a sentence.
package struct HarnessError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

/// Repeats the call, at first every few milliseconds, until it returns a value or the time is over.
///
/// - Throws: ``HarnessError`` when the time is over.
package func poll<Value>(
    within limit: Duration = .seconds(60), every pause: Duration? = nil, _ ask: () async throws -> Value?
) async throws -> Value {
    let begun = ContinuousClock.now
    while true {
        if let value = try await ask() { return value }
        let waited = ContinuousClock.now - begun
        guard waited < limit else { throw HarnessError("Nothing came within \(limit).") }
        try await Task.sleep(for: pause ?? min(max(.milliseconds(10), waited / 8), .milliseconds(250)))
    }
}
