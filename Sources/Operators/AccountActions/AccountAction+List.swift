package import OperatorAccess

extension AccountAction {
    /// In the order of the buttons on the account's page.
    package static let all: [AccountAction] = [
        merge, split, link, invite, requireReset, demandFactor, waiveFactor, removeFactors, keepFactors, disable,
        enable,
        export, impersonate, cancelDeletion, delete, requireProof, move, unlink, endSessions, endSession, undo,
    ]

    /// On the page of operators.
    package static let ofRoles: [AccountAction] = [grant, withdraw]

    /// The actions whose interface follows from the declaration.
    package static func all(_ interface: Interface) -> [AccountAction] {
        all.filter { $0.interfaces.contains(interface) }
    }

    /// The actions that this state and role permit.
    package static func offered(for account: AccountState, to role: OperatorRole) -> [AccountAction] {
        all.filter { role >= $0.right.least && $0.isPossible(account) }
    }
}

/// Actions with pages, endpoints and commands of their own.
extension AccountAction {
    package static let merge = AccountAction(
        name: "merge", right: .mergeAccounts, interfaces: [], reversal: .undo, isPossible: { $0.isActive })
    package static let split = AccountAction(
        name: "split", right: .splitAccount, interfaces: [], reversal: .undo, isPossible: { $0.isActive })
    package static let undo = AccountAction(name: "undo", right: .undoChange, interfaces: [], part: .changes)
    package static let grant = AccountAction(name: "grant", right: .changeRole, interfaces: [], reversal: .opposite)
    package static let withdraw = AccountAction(
        name: "withdraw", right: .changeRole, interfaces: [], isDangerous: true, reversal: .opposite)
}
