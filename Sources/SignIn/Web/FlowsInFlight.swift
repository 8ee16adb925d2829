import Synchronization

/// The flows with an answer in progress on this server.
///
/// After a double click, the provider would refuse the second answer, and the flow would be spent before the first
/// answer is done.
final class FlowsInFlight: Sendable {
    private let bindings = Mutex<Set<[UInt8]>>([])

    /// False if the flow is already being processed.
    func enter(_ flow: WebFlow) -> Bool { bindings.withLock { $0.insert(flow.binding).inserted } }

    func leave(_ flow: WebFlow) {
        bindings.withLock { _ = $0.remove(flow.binding) }
    }
}
