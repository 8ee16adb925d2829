/// A bounded cache that drops its older half at once.
///
/// Every access is O(1), and memory stays within the capacity.
struct TwoGenerationCache<Key: Hashable, Value> {
    /// Entries and their total cost.
    private struct Generation {
        var entries: [Key: (value: Value, cost: Int)] = [:]
        var cost = 0

        mutating func remove(_ key: Key) -> Value? {
            guard let entry = entries.removeValue(forKey: key) else { return nil }
            cost -= entry.cost
            return entry.value
        }

        /// Keeps the table's memory, because allocating several MiB per generation fragments the heap.
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
    ///   - capacity: the limit for the total cost of all entries.
    ///   - cost: the cost of one entry, in the unit of the capacity, such as bytes.
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

    /// The total cost of all entries.
    var totalCost: Int { young.cost + old.cost }

    mutating func removeAll() {
        young.removeAll()
        old.removeAll()
    }

    mutating func removeAll(where isGone: (Value) -> Bool) {
        young.removeAll(where: isGone)
        old.removeAll(where: isGone)
    }

    /// Adds a key that is in neither generation, unless its cost exceeds that of a generation.
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
