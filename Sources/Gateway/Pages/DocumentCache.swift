import Synchronization

/// What was rendered before, by language and masked page.
///
/// Bounded by two generations: when the younger is full it becomes the older, and what is used from there moves back. A
/// flood of odd pages can't push out those in use.
final class DocumentCache: Sendable {
    struct Key: Hashable, Sendable {
        let language: Language
        let page: any Page

        static func == (one: Key, other: Key) -> Bool {
            one.language == other.language && one.page.equals(other.page)
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(language)
            page.hash(into: &hasher)
        }
    }

    private struct Generations {
        var younger: [Key: MaskedDocument] = [:]
        var older: [Key: MaskedDocument] = [:]
    }

    private let size: Int
    private let generations = Mutex(Generations())

    /// - Parameter size: documents of one generation; a document has some 10 KB.
    init(size: Int) {
        self.size = size
    }

    func document(_ key: Key, render: () -> MaskedDocument) -> MaskedDocument {
        if let document = generations.withLock({ $0.younger[key] }) { return document }
        let document = generations.withLock { $0.older[key] } ?? render()
        generations.withLock { generations in
            if generations.younger.count >= size {
                generations.older = generations.younger
                generations.younger = [:]
            }
            generations.younger[key] = document
        }
        return document
    }
}

extension Page {
    fileprivate func equals(_ other: any Page) -> Bool { other as? Self == self }
}
