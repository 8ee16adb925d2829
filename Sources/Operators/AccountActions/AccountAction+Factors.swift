import Accounts
import OperatorAccess

extension AccountAction {
    static let demandFactor = AccountAction(
        name: "demand_second_factor", right: .demandFactor,
        arguments: [
            ActionArgument(name: "demanded", kind: .flag(false), help: "Stop requiring it.", ownOption: "off")
        ],
        reversal: .opposite,
        help: "Require a second factor at every sign-in. The user enrols one if the account has none.",
        // A role demands two factors by itself.
        isPossible: { $0.isActive && !$0.demandsFactor && !$0.isOperator },
        perform: { try await demand($0.flag("demanded", default: true), $0) })

    static let waiveFactor = AccountAction(
        name: "waive_second_factor", right: .demandFactor, ownWord: "demand-second-factor", interfaces: [.form],
        reversal: .opposite,
        isPossible: { $0.isActive && $0.demandsFactor && !$0.isOperator },
        perform: { try await demand(false, $0) })

    private static func demand(_ isDemanded: Bool, _ change: ActionRequest) async throws -> ActionOutcome {
        try await change.services.care.demandSecondFactor(
            isDemanded, of: change.account, because: change.reason, by: change.actor)
        return .done(report: isDemanded ? "needs a second factor" : "needs no second factor")
    }

    static let removeFactors = AccountAction(
        name: "remove_factors", right: .removeFactors, ownPath: "factors", removes: true,
        arguments: [
            ActionArgument(name: "now", kind: .flag(true), help: "Skip the waiting period.", isLocal: true)
        ],
        isLoss: true,
        help: "Remove all second factors of a user who lost them, after a waiting period.",
        discussion: """
            Factors, passkeys, recovery codes and remembered devices are removed, and every session ends. The \
            account's addresses are notified immediately. The removal happens after FACTOR_REMOVAL_HOURS. The user \
            cancels it by signing in with a second factor, or on the account page.
            """,
        // `ask_factor_removal` refuses to remove an operator's factors.
        isPossible: { $0.isActive && $0.hasFactors && $0.factorRemovalDue == nil && !$0.isOperator },
        details: { ["hours": "\($1.care.factorWaitHours)"] },
        perform: { change in
            let due = try await change.services.care.removeFactors(
                of: change.account, now: change.flag("now"), because: change.reason, by: change.actor)
            return .done(report: "has no second factor", from: due)
        })

    static let keepFactors = AccountAction(
        name: "keep_factors", right: .removeFactors, ownPath: "factor-removal", removes: true, reversal: .opposite,
        help: "Cancel a pending removal of second factors. The user is notified.",
        isPossible: { $0.factorRemovalDue != nil },
        details: { account, _ in ["date": account.factorRemovalDue ?? ""] },
        perform: { change in
            try await change.services.care.keepFactors(of: change.account, because: change.reason, by: change.actor)
            return .done(report: "keeps its second factors")
        })
}
