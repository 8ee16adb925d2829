/// The role of an operator; each includes the roles before it.
package enum OperatorRole: String, Sendable, CaseIterable, Comparable {
    /// Views accounts, clients, providers and the audit log, and changes nothing.
    case viewer
    /// Helps users: ends sessions, requires a new password or a proof, unlinks; no merge, no deletion.
    case support
    /// Merges, splits, moves, deletes and exports accounts, and changes clients.
    case admin
    /// Also manages operators.
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
