/// A bounded cache that forgets the older half at once: every operation is O(1), and memory never exceeds the capacity.
struct TwoGenerationCache<Key: Hashable, Value> {
    /// Entries, and what they cost together.
    private struct Generation {
        var entries: [Key: (value: Value, cost: Int)] = [:]
        var cost = 0

        mutating func remove(_ key: Key) -> Value? {
            guard let entry = entries.removeValue(forKey: key) else { return nil }
            cost -= entry.cost
            return entry.value
        }

        /// Keeps the table's memory: allocating several MiB anew for each generation fragments the heap.
        mutating func removeAll() {
            entries.removeAll(keepingCapacity: true)
            cost = 0
        }

        mutating func removeAll(where isGone: (Value) -> Bool) {
            for key in entries.compactMap({ isGone($0.value.value) ? $0.key : nil }) { _ = remove(key) }
        }
    }

    private var young = Generation()
    private var old = Generation()
    private let half: Int
    private let cost: @Sendable (Value) -> Int

    /// - Parameters:
    ///   - capacity: what all entries may cost together.
    ///   - cost: what one costs; as good as its bytes of memory where the capacity is one of bytes.
    init(capacity: Int, cost: @escaping @Sendable (Value) -> Int = { _ in 1 }) {
        half = max(capacity / 2, 1)
        self.cost = cost
    }

    subscript(key: Key) -> Value? {
        mutating get {
            if let entry = young.entries[key] { return entry.value }
            guard let value = old.remove(key) else { return nil }
            insert(value, for: key)
            return value
        }
        set {
            _ = young.remove(key)
            _ = old.remove(key)
            if let newValue { insert(newValue, for: key) }
        }
    }

    /// What the entries cost together.
    var totalCost: Int { young.cost + old.cost }

    mutating func removeAll() {
        young.removeAll()
        old.removeAll()
    }

    mutating func removeAll(where isGone: (Value) -> Bool) {
        young.removeAll(where: isGone)
        old.removeAll(where: isGone)
    }

    /// Adds a key that is in neither generation; what alone costs more than a generation may is not kept.
    private mutating func insert(_ value: Value, for key: Key) {
        let cost = cost(value)
        guard cost <= half else { return }
        if young.cost + cost > half {
            swap(&young, &old)
            young.removeAll()
        }
        young.entries[key] = (value, cost)
        young.cost += cost
    }
}
