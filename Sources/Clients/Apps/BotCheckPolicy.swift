/// When an app asks for a bot check before it sends a message or stores a sign-up.
package enum BotCheckPolicy: String, Sendable, CaseIterable {
    case off
    /// Only beyond the budget of the caller's network.
    case beyondBudget = "beyond_budget"
    case always

    /// Whether the requests of a network are counted.
    package var counts: Bool { self == .beyondBudget }

    package func demandsCheck(isBeyondBudget: Bool) -> Bool {
        switch self {
        case .off: false
        case .beyondBudget: isBeyondBudget
        case .always: true
        }
    }
}
