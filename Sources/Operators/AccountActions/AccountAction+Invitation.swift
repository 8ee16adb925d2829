import Accounts
import OperatorAccess

extension AccountAction {
    package static let invite = AccountAction(
        name: "invite", right: .inviteAccount,
        help: "Mail a link to a user without a sign-in method, to set up the first one.",
        discussion: "The link works once, for 7 days. An earlier one stops working.",
        isPossible: { $0.isActive && $0.hasMailbox && !$0.hasOwnMethod },
        perform: { change in
            try await change.services.creation.invite(change.account, because: change.reason, by: change.actor)
            return .done(report: "is invited by mail. The link works once, for 7 days")
        })
}
