/// What an operator is trusted with: each role may do what the one before it may.
package enum OperatorRole: String, Sendable, CaseIterable, Comparable {
    /// Sees accounts, clients, providers and the audit log, and changes nothing.
    case viewer
    /// Helps people: ends sessions, demands a new password or a proof, links and unlinks; no merge, no deletion.
    case support
    /// Merges, splits, moves, deletes and exports accounts, and changes clients.
    case admin
    /// Also says who is an operator.
    case owner

    package static func < (left: OperatorRole, right: OperatorRole) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .viewer: 0
        case .support: 1
        case .admin: 2
        case .owner: 3
        }
    }
}
