import Accounts
import OperatorAccess

extension AccountAction {
    package static let delete = AccountAction(
        name: "delete_account", right: .deleteAccount, ownWord: "delete", ownPath: "", removes: true,
        arguments: [ActionArgument(name: "now", kind: .flag(true), help: "Skip the waiting period.")],
        isDangerous: true, reversal: .opposite, ends: .all,
        help: "Delete an account and its data: after ACCOUNT_DELETION_DAYS, or at once with --now.",
        discussion: """
            Its sessions end immediately, and its addresses are notified. After ACCOUNT_DELETION_DAYS the account is \
            deleted; until then it is disabled, and cancel-deletion keeps it. The audit log keeps the account id.
            """,
        isPossible: { !$0.isClosed && !$0.waitsForOperatorsDeletion },
        details: { ["days": "\($1.leaving.waitingDays)"] },
        perform: { change in
            .deletion(
                try await change.services.leaving.delete(
                    change.account, now: change.flag("now"), because: change.reason, by: change.actor))
        })

    static let cancelDeletion = AccountAction(
        name: "cancel_deletion", right: .deleteAccount, ownPath: "deletion", removes: true, reversal: .opposite,
        help: "Cancel a deletion by an operator or a back end. The account's addresses are notified.",
        discussion: "Only the user cancels a deletion that they asked for, on the account page.",
        isPossible: { $0.waitsForOperatorsDeletion },
        details: { account, _ in ["date": account.deletionDue ?? ""] },
        perform: { change in
            try await change.services.leaving.cancelDeletion(
                of: change.account, because: change.reason, by: change.actor)
            return .done(report: "stays")
        })

    /// Its command writes to a file that the operator names, and waits longer.
    static let export = AccountAction(
        name: "export_account", right: .exportAccount, ownWord: "export", interfaces: [.endpoint, .form],
        isPossible: { !$0.isClosed },
        perform: { change in
            let file = try SpoolFile()
            try await change.services.leaving.export(change.account, to: file, because: change.reason, by: change.actor)
            return .exported(file)
        })
}
