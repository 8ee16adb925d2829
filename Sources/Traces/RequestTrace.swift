import Synchronization

/// The costs of one request, and its spans if its trace is sampled.
///
/// Everything below the door finds it in ``current``. A counter is an atomic addition, and an unsampled request keeps no span.
package final class RequestTrace: Sendable {
    /// The trace of the request that the current task answers; nil outside of requests.
    @TaskLocal package static var current: RequestTrace?

    /// Where a request waits.
    package enum Stage: Sendable {
        case body, database, provider, hashing
    }

    private struct Recording: Sendable {
        var spans: [TraceSpan] = []
        var dropped = 0
        var isOver = false
    }

    /// Most requests have fewer than ten.
    private static let mostSpans = 128

    package let traceID: TraceID
    /// The id of the door's span.
    package let span: UInt64
    /// The caller's span; zero without one.
    package let parent: UInt64
    package let isSampled: Bool
    /// Whether services learn the ids of this trace.
    package let isPropagated: Bool
    /// The caller's `tracestate`, checked.
    package let state: String?
    private let statements = Atomic<Int>(0)
    private let body = Atomic<Int>(0)
    private let database = Atomic<Int>(0)
    private let providers = Atomic<Int>(0)
    private let hashing = Atomic<Int>(0)
    private let recording = Mutex(Recording())

    /// - Parameter caller: the caller's context; nil begins a new trace.
    package init(
        after caller: TraceContext? = nil, state: String? = nil, isSampled: Bool = false, isPropagated: Bool = false
    ) {
        traceID = caller?.traceID ?? SpanID.makeTrace()
        parent = caller?.span ?? 0
        span = SpanID.make()
        (self.state, self.isSampled, self.isPropagated) = (state, isSampled, isPropagated)
    }

    /// Adds time to a stage.
    package func add(_ time: Duration, to stage: Stage) {
        let nanoseconds = Int(time.components.seconds * 1_000_000_000 + time.components.attoseconds / 1_000_000_000)
        switch stage {
        case .body: body.wrappingAdd(nanoseconds, ordering: .relaxed)
        case .database: database.wrappingAdd(nanoseconds, ordering: .relaxed)
        case .provider: providers.wrappingAdd(nanoseconds, ordering: .relaxed)
        case .hashing: hashing.wrappingAdd(nanoseconds, ordering: .relaxed)
        }
    }

    package func add(statements count: Int) {
        statements.wrappingAdd(count, ordering: .relaxed)
    }

    /// Keeps a span of a sampled trace; work that outlives its request keeps none.
    package func record(_ span: @autoclosure () -> TraceSpan) {
        guard isSampled else { return }
        let span = span()
        recording.withLock { recording in
            guard !recording.isOver else { return }
            guard recording.spans.count < Self.mostSpans else { return recording.dropped += 1 }
            recording.spans.append(span)
        }
    }

    /// Ends the recording.
    ///
    /// - Returns: its spans, and the number of those beyond the limit.
    package func finish() -> (spans: [TraceSpan], dropped: Int) {
        recording.withLock { recording in
            defer { recording = Recording(isOver: true) }
            return (recording.spans, recording.dropped)
        }
    }

    /// The costs so far.
    package func figures(total: Duration) -> RequestFigures {
        RequestFigures(
            total: Int(total.components.seconds * 1_000_000 + total.components.attoseconds / 1_000_000_000_000),
            body: body.load(ordering: .relaxed) / 1_000, database: database.load(ordering: .relaxed) / 1_000,
            providers: providers.load(ordering: .relaxed) / 1_000, hashing: hashing.load(ordering: .relaxed) / 1_000,
            statements: statements.load(ordering: .relaxed))
    }
}
