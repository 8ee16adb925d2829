import Testing

@testable import Sessions

@Suite("Two-generation cache")
struct TwoGenerationCacheTests {
    @Test("never exceeds its capacity, and keeps used entries")
    func bounded() {
        var cache = TwoGenerationCache<Int, Int>(capacity: 100)
        for key in 0..<10_000 {
            cache[key] = key
            #expect(cache[7] == nil || cache[7] == 7)
            if key % 10 == 0 { cache[-1] = -1 }
        }
        let kept = (0..<10_000).filter { cache[$0] != nil }.count
        #expect(kept <= 100)
        #expect(cache[9_999] == 9_999)
    }

    @Test("K8: limits the total cost of its entries, and omits an entry above the limit")
    func bytes() {
        var cache = TwoGenerationCache<Int, [UInt8]>(capacity: 1_000) { $0.count }
        for key in 0..<10_000 {
            cache[key] = [UInt8](repeating: 0, count: 1 + key * 7 % 400)
            if key.isMultiple(of: 3) { cache[key / 2] = nil }
            _ = cache[key - 1]
            #expect(cache.totalCost <= 1_000)
        }
        #expect((0..<10_000).reduce(0) { $0 + (cache[$1]?.count ?? 0) } == cache.totalCost)
        cache[1] = [UInt8](repeating: 0, count: 501)
        #expect(cache[1] == nil)
        cache.removeAll { _ in true }
        #expect(cache.totalCost == 0)
    }

    @Test("K8: a replaced entry costs once")
    func replaced() {
        var cache = TwoGenerationCache<Int, Int>(capacity: 100) { $0 }
        for cost in [10, 30, 20, 20] { cache[1] = cost }
        #expect(cache.totalCost == 20)
        #expect(cache[1] == 20)
    }

    @Test("forgetting works in both generations")
    func forgets() {
        var cache = TwoGenerationCache<Int, Int>(capacity: 4)
        for key in 0..<3 { cache[key] = key }
        cache[0] = nil
        cache[2] = nil
        #expect(cache[0] == nil)
        #expect(cache[2] == nil)
        cache[5] = 5
        cache.removeAll { $0 == 5 }
        #expect(cache[5] == nil)
        cache[6] = 6
        cache.removeAll()
        #expect(cache[6] == nil)
    }
}
