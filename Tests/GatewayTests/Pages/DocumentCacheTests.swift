import Testing

@testable import HTTPServer
@testable import Pages

@Suite("The cache of rendered documents")
struct DocumentCacheTests {
    private func key(_ count: Int, _ language: Language = .english) -> DocumentCache.Key {
        let fields = Array(repeating: HiddenField(name: "a", value: "b"), count: count)
        return DocumentCache.Key(language: language, page: RepostPage(action: "/", hidden: fields))
    }

    @Test("a used page is rendered once, with any number of others")
    func inUse() {
        // Room for four, because a document of one or two bytes is mostly its key.
        let cache = DocumentCache(memory: 4 * 4_200)
        var rendered = 0
        func ask(_ key: DocumentCache.Key) -> [UInt8] {
            cache.document(key) {
                rendered += 1
                return MaskedDocument("\(rendered)")
            }.filled(with: [])
        }
        let first = ask(key(0))
        for count in 1...40 {
            _ = ask(key(count))
            #expect(ask(key(0)) == first)
        }
        #expect(rendered == 41)
        _ = ask(key(1))
        #expect(rendered == 42)
    }

    @Test("K8: the cache has a memory limit, and a document that is too large is not kept")
    func memory() {
        let cache = DocumentCache(memory: 10_000)
        var rendered = 0
        func ask(_ count: Int, bytes: Int) {
            _ = cache.document(key(count)) {
                rendered += 1
                return MaskedDocument(String(repeating: "a", count: bytes))
            }
        }
        for _ in 0..<3 { ask(0, bytes: 6_000) }
        #expect(rendered == 3, "too large beside its key")
        for _ in 0..<3 { ask(1, bytes: 5_000) }
        #expect(rendered == 4)
        for count in 2...3 { ask(count, bytes: 5_000) }
        ask(1, bytes: 5_000)
        #expect(rendered == 7, "two generations of one document each")
    }

    @Test("a document is for one language and one kind of page")
    func kinds() {
        let notice = NoticePage(code: "signed_out", arguments: [:], requestID: nil, actions: [])
        #expect(key(0) == key(0))
        #expect(key(0) != key(1))
        #expect(key(0) != key(0, .german))
        #expect(key(0) != DocumentCache.Key(language: .english, page: notice))
    }

    @Test("marks are filled with the texts of their numbers, and texts are not read again")
    func filling() {
        let document = MaskedDocument("a\u{1}1\u{2}b\u{1}0\u{2}\u{1}1\u{2}")
        let filled = String(decoding: document.filled(with: ["<\u{1}1\u{2}", "é"]), as: UTF8.self)
        #expect(filled == "aéb&lt;\u{FFFD}1\u{FFFD}é")
    }

    @Test("a mark of a time is filled with an element of its moment and its words")
    func times() {
        let document = MaskedDocument("on \u{3}0\u{2} by \u{1}2\u{2}")
        let filled = String(decoding: document.filled(with: ["\"T", "<noon>", "Ann"]), as: UTF8.self)
        #expect(filled == "on <time datetime=\"&quot;T\">&lt;noon&gt;</time> by Ann")
    }
}
