/// The rule of refresh tokens by itself, as a machine without clock, SQL or HTTP: what the statement must do.
package struct RefreshChain: Sendable {
    package enum Answer: Sendable, Equatable {
        /// A token of this generation that nobody had before.
        case rotated(Int)
        /// The same token of this generation once more.
        case repeated(Int)
        /// The session is over.
        case theft
    }

    /// In seconds: until when a repeat is free, and until when it is taken at all.
    private let (window, latest): (Int, Int)
    private(set) package var generation = 0
    private(set) package var isOver = false
    private var rotatedAt = 0
    /// The generations whose predecessor came late once more.
    private var late: Set<Int> = []

    package init(window: Int = 10, latest: Int = 86_400) {
        (self.window, self.latest) = (window, latest)
    }

    /// Somebody presents the token of a generation, so many seconds after the session began.
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
