import HTTPServer
import Synchronization
import Vocabulary

/// Rendered documents by language and masked page.
///
/// It has two generations: a full younger one becomes the older one, and used entries move back. A flood of unusual pages
/// cannot displace those in use.
final class DocumentCache: Sendable {
    struct Key: Hashable, Sendable {
        let language: Language
        let page: any Page
        var brand: PageBrand?
        var botWidget: BotWidget?
        var impersonation: ImpersonationBar?

        static func == (one: Key, other: Key) -> Bool {
            one.language == other.language && one.brand == other.brand && one.botWidget == other.botWidget
                && one.impersonation == other.impersonation && one.page.equals(other.page)
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(language)
            hasher.combine(brand)
            hasher.combine(botWidget)
            hasher.combine(impersonation)
            page.hash(into: &hasher)
        }
    }

    private struct Generations {
        var younger: [Key: MaskedDocument] = [:]
        /// Their memory.
        var bytes = 0
        var older: [Key: MaskedDocument] = [:]
    }

    /// The approximate memory of a masked page as a key, in bytes.
    private static let keyBytes = 4_096

    private let memory: Int
    private let generations = Mutex(Generations())

    /// - Parameter memory: the limit of one generation in bytes; a document has about 10 KB.
    init(memory: Int) {
        self.memory = memory
    }

    func document(_ key: Key, render: () -> MaskedDocument) -> MaskedDocument {
        if let document = generations.withLock({ $0.younger[key] }) { return document }
        let document = generations.withLock { $0.older[key] } ?? render()
        generations.withLock { generations in
            let bytes = document.approximateBytes + Self.keyBytes
            guard generations.younger[key] == nil, bytes <= memory else { return }
            if generations.bytes + bytes > memory {
                generations = Generations(older: generations.younger)
            }
            generations.younger[key] = document
            generations.bytes += bytes
        }
        return document
    }
}

extension Page {
    fileprivate func equals(_ other: any Page) -> Bool { other as? Self == self }
}
