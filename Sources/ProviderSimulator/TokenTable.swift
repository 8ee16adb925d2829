import FoundationEssentials
import Synchronization

/// Opaque tokens and their values, limited in number; the oldest half is removed first.
final class TokenTable<Value: Sendable>: Sendable {
    fileprivate struct State {
        var values: [String: Value] = [:]
        var order: [String] = []
    }

    private let state = Mutex(State())
    private let limit = 400_000

    subscript(_ token: String) -> Value? {
        state.withLock { $0.values[token] }
    }

    func add(_ value: Value, as token: String) {
        state.withLock { state in
            if state.order.count >= limit { state.forgetOldestHalf() }
            state.values[token] = value
            state.order.append(token)
        }
    }

    func remove(_ token: String) {
        state.withLock { $0.values[token] = nil }
    }

    func removeAll(where isGone: (Value) -> Bool) {
        state.withLock { state in state.values = state.values.filter { !isGone($0.value) } }
    }

    func removeAll() {
        state.withLock { $0 = State() }
    }
}

extension TokenTable.State {
    fileprivate mutating func forgetOldestHalf() {
        for token in order.prefix(order.count / 2) { values[token] = nil }
        order.removeFirst(order.count / 2)
    }
}
