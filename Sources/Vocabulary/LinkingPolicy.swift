package import Foundation
package import JSON

/// Decides the account of an unknown verified identity: `docs/architecture.md`, "Linking".
///
/// Pure: the same facts give the same answer, so a test covers the rules as rows, and `explain` is accurate. Known
/// identities and requests with a session never reach it.
package struct LinkingPolicy: Sendable, Equatable {
    /// A client's policy if both sides have proved the same address.
    package enum BothVerified: String, Sendable, CaseIterable {
        /// Link the identity, and notify the address.
        case link = "both_verified"
        /// Ask the user to sign in to the account first.
        case ask
    }

    package let bothVerified: BothVerified

    package init(bothVerified: BothVerified) {
        self.bothVerified = bothVerified
    }

    /// An account with the address of the credential.
    package struct Holder: Sendable, Equatable {
        package let account: UUID
        /// Proved by our code or by an authority for the address.
        package let proved: Bool
        /// Whether it has a usable sign-in method.
        package var active: Bool

        package init(account: UUID, proved: Bool, active: Bool) {
            (self.account, self.proved, self.active) = (account, proved, active)
        }
    }

    package struct Facts: Sendable, Equatable {
        /// Whether the credential contains an address (relay addresses don't count).
        package let hasAddress: Bool
        /// Whether the provider is an authority for that address and states that it is verified.
        package let providerIsAuthority: Bool
        package let holders: [Holder]
        /// Whether the budgets of the network and the address allow a look-up by an address that the provider does not
        /// prove.
        package let isWithinBudget: Bool

        package init(hasAddress: Bool, providerIsAuthority: Bool, holders: [Holder], isWithinBudget: Bool = true) {
            (self.hasAddress, self.providerIsAuthority, self.holders) = (hasAddress, providerIsAuthority, holders)
            self.isWithinBudget = isWithinBudget
        }
    }

    /// The rules by name; the audit log contains the name.
    package enum Rule: String, Sendable, CaseIterable {
        case noMatch = "no_match"
        case bothProved = "both_proved"
        case askFirst = "ask_first"
        case provedTakesUnproved = "proved_takes_unproved"
        case unprovedMayJoin = "unproved_may_join"
        /// Neither side has proved the address.
        case neitherProved = "neither_proved"
        /// The budget of the network or the address is exhausted; the accounts with the address are not looked up.
        case overBudget = "over_budget"
        case holderUnusable = "holder_unusable"
        /// The request had a session with a recent proof; the policy isn't used.
        case accompanyingSession = "accompanying_session"
        /// The user declined the link.
        case linkDeclined = "link_declined"
    }

    package enum Decision: Sendable, Equatable {
        /// A new account; `withAddress`: whether it gets the address; `takesAddress`: whether the address is proved,
        /// which ends every unproved claim.
        case createAccount(rule: Rule, withAddress: Bool, takesAddress: Bool)
        case link(account: UUID, rule: Rule)
        /// The user must prove that account first.
        case ask(account: UUID, rule: Rule)

        package var rule: Rule {
            switch self {
            case .createAccount(let rule, _, _), .link(_, let rule), .ask(_, let rule): rule
            }
        }
    }

    package func decide(_ facts: Facts) -> Decision {
        guard facts.hasAddress else { return .createAccount(rule: .noMatch, withAddress: false, takesAddress: false) }
        let provedHolder = facts.holders.first { $0.proved }
        switch (facts.providerIsAuthority, provedHolder) {
        case (true, .some(let holder)): return bothProved(holder)
        case (true, nil):
            return .createAccount(
                rule: facts.holders.isEmpty ? .noMatch : .provedTakesUnproved, withAddress: true, takesAddress: true)
        case (false, _): return unproved(facts)
        }
    }

    private func bothProved(_ holder: Holder) -> Decision {
        // Even a proof of the mailbox doesn't open a disabled account; the address stays with it.
        guard holder.active else {
            return .createAccount(rule: .holderUnusable, withAddress: false, takesAddress: false)
        }
        switch bothVerified {
        case .link: return .link(account: holder.account, rule: .bothProved)
        case .ask: return .ask(account: holder.account, rule: .askFirst)
        }
    }

    /// The provider does not prove the address, so linking needs a proof of the other account.
    ///
    /// An unproved claim has no effect: it must not cause questions to other users. Beyond the budget the answer
    /// doesn't depend on the accounts, so it reveals none.
    private func unproved(_ facts: Facts) -> Decision {
        guard facts.isWithinBudget else {
            return .createAccount(rule: .overBudget, withAddress: false, takesAddress: false)
        }
        guard let holder = facts.holders.first(where: { $0.proved }) else {
            let rule: Rule = facts.holders.isEmpty ? .noMatch : .neitherProved
            return .createAccount(rule: rule, withAddress: true, takesAddress: false)
        }
        guard holder.active else {
            return .createAccount(rule: .holderUnusable, withAddress: false, takesAddress: false)
        }
        return .ask(account: holder.account, rule: .unprovedMayJoin)
    }

    /// Rule, facts and answer, for the log and the audit row: the reason of a link.
    package func explain(_ facts: Facts) -> JSON {
        let decision = decide(facts)
        return [
            "rule": .string(decision.rule.rawValue), "policy": .string(bothVerified.rawValue),
            "answer": .string(decision.name),
            "facts": [
                "has_address": .bool(facts.hasAddress), "provider_is_authority": .bool(facts.providerIsAuthority),
                "proved_holders": .integer(facts.holders.count { $0.proved }),
                "unproved_holders": .integer(facts.holders.count { !$0.proved }),
                "within_budget": .bool(facts.isWithinBudget),
            ],
        ]
    }
}

extension LinkingPolicy.Decision {
    fileprivate var name: String {
        switch self {
        case .createAccount: "create_account"
        case .link: "link"
        case .ask: "link_account"
        }
    }
}
