import Accounts
import OperatorAccess

extension AccountAction {
    static let disable = AccountAction(
        name: "disable", right: .disableAccount, isDangerous: true, reversal: .opposite, ends: .all,
        help: "Disable an account. Its sessions end within a second, and nobody can sign in to it.",
        isPossible: { $0.isActive },
        perform: { change in
            try await change.services.care.set(enabled: false, change.account, because: change.reason, by: change.actor)
            return .done(report: "is disabled and has no session")
        })

    static let enable = AccountAction(
        name: "enable", right: .enableAccount, reversal: .opposite,
        help: "Enable a disabled account. Ended sessions stay ended.",
        isPossible: { !$0.isActive && !$0.isClosed && !$0.waitsForOperatorsDeletion },
        perform: { change in
            try await change.services.care.set(enabled: true, change.account, because: change.reason, by: change.actor)
            return .done(report: "is active")
        })
}
