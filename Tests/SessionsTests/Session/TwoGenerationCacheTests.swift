import Testing

@testable import Sessions

@Suite("Two-generation cache")
struct TwoGenerationCacheTests {
    @Test("never holds more than its capacity, and keeps what is used")
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
