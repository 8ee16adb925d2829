extension Range<Int> {
    /// Sequentially.
    func asyncMap<Value>(_ value: (Int) async throws -> Value) async throws -> [Value] {
        var values: [Value] = []
        for number in self { values.append(try await value(number)) }
        return values
    }
}
