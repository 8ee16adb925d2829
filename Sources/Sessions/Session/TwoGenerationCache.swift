/// A bounded cache that forgets the older half at once: every operation is O(1), and memory never exceeds the capacity.
struct TwoGenerationCache<Key: Hashable, Value> {
    private var young: [Key: Value] = [:]
    private var old: [Key: Value] = [:]
    private let half: Int

    init(capacity: Int) {
        half = max(capacity / 2, 1)
    }

    subscript(key: Key) -> Value? {
        mutating get {
            if let value = young[key] { return value }
            guard let value = old.removeValue(forKey: key) else { return nil }
            insert(value, for: key)
            return value
        }
        set {
            if let newValue {
                insert(newValue, for: key)
            } else {
                young[key] = nil
                old[key] = nil
            }
        }
    }

    mutating func removeAll() {
        young = [:]
        old = [:]
    }

    mutating func removeAll(where isGone: (Value) -> Bool) {
        young = young.filter { !isGone($0.value) }
        old = old.filter { !isGone($0.value) }
    }

    private mutating func insert(_ value: Value, for key: Key) {
        if young.count >= half, young[key] == nil {
            old = young
            young = [:]
        }
        young[key] = value
    }
}
