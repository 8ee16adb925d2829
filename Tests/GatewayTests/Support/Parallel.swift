/// Runs the body that many times in parallel; returns the results in the order of the numbers.
func inParallel<Value: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (Int) async throws -> Value
) async throws -> [Value] {
    try await withThrowingTaskGroup(of: (number: Int, value: Value).self) { group in
        for number in 0..<count {
            group.addTask { (number, try await body(number)) }
        }
        var values: [Int: Value] = [:]
        for try await result in group { values[result.number] = result.value }
        return (0..<count).compactMap { values[$0] }
    }
}

/// The median; of an even number of values the upper one of the two.
func median<Value: Comparable>(_ values: [Value]) -> Value? {
    values.isEmpty ? nil : values.sorted()[values.count / 2]
}
