/// The rule of refresh tokens as a machine without clock, SQL or HTTP: the specification of the statement.
package struct RefreshChain: Sendable {
    package enum Answer: Sendable, Equatable {
        /// A new token of this generation.
        case rotated(Int)
        /// The same token of this generation again.
        case repeated(Int)
        /// The session has ended.
        case theft
    }

    /// In seconds: the end of the free retries, and the end of all retries.
    private let (window, latest): (Int, Int)
    private(set) package var generation = 0
    private(set) package var isOver = false
    private var rotatedAt = 0
    /// The generations with a late retry of their predecessor.
    private var late: Set<Int> = []

    package init(window: Int = 10, latest: Int = 86_400) {
        (self.window, self.latest) = (window, latest)
    }

    /// Presents the token of a generation, at a second of the session's life.
    package mutating func present(_ presented: Int, at second: Int) -> Answer {
        if !isOver, presented == generation {
            (generation, rotatedAt) = (generation + 1, second)
            return .rotated(generation)
        }
        guard !isOver, presented + 1 == generation, mayRepeat(second - rotatedAt) else {
            isOver = true
            return .theft
        }
        return .repeated(generation)
    }

    private mutating func mayRepeat(_ age: Int) -> Bool {
        if age < window { return true }
        guard age < latest, !late.isSuperset(of: [generation - 1, generation - 2]) else { return false }
        late.insert(generation)
        return true
    }
}
