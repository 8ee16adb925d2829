/// Runs the body for all elements in parallel; returns the results in order.
func inParallel<Element: Sendable, Value: Sendable>(
    _ elements: some Sequence<Element>, _ body: @escaping @Sendable (Element) async throws -> Value
) async throws -> [Value] {
    try await withThrowingTaskGroup(of: Value.self) { group in
        for element in elements { group.addTask { try await body(element) } }
        return try await group.reduce(into: []) { $0.append($1) }
    }
}
