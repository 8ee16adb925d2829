extension RequestTrace {
    /// Runs `body`, and adds its time and its span to the current request, if there is one.
    ///
    /// - Parameter name: of the span; needed only for a sampled trace.
    package static func measure<Value, Failure: Error>(
        _ stage: Stage, _ kind: TraceSpan.Kind, _ name: @autoclosure () -> String,
        _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        guard let trace = current else { return try await body() }
        let start = ContinuousClock.now
        do {
            let value = try await body()
            trace.end(stage, kind, name(), start, hasFailed: false)
            return value
        } catch {
            trace.end(stage, kind, name(), start, hasFailed: true)
            throw error
        }
    }

    private func end(
        _ stage: Stage, _ kind: TraceSpan.Kind, _ name: @autoclosure () -> String, _ start: ContinuousClock.Instant,
        hasFailed: Bool
    ) {
        let end = ContinuousClock.now
        add(end - start, to: stage)
        record(
            TraceSpan(
                id: SpanID.make(), parent: span, kind: kind, name: name(), start: start, end: end, hasFailed: hasFailed)
        )
    }
}
