import Synchronization

/// The flows whose answer is being worked on here.
///
/// A browser that sends its answer twice at once, by a double click, would have the second one refused by the provider
/// and the flow spent for it, before the first one is done.
final class FlowsInFlight: Sendable {
    private let bindings = Mutex<Set<[UInt8]>>([])

    /// False where somebody is at it already.
    func enter(_ flow: WebFlow) -> Bool { bindings.withLock { $0.insert(flow.binding).inserted } }

    func leave(_ flow: WebFlow) {
        bindings.withLock { _ = $0.remove(flow.binding) }
    }
}
