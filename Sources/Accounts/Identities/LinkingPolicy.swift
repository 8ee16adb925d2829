package import Foundation
package import JSON

/// Decides which account an unknown, verified identity belongs to: `docs/architecture.md`, "Linking".
///
/// Pure: the same facts give the same answer, so the rules are rows in a test and `explain` is the truth. Who is
/// already known, or asks with a session, never gets here.
package struct LinkingPolicy: Sendable, Equatable {
    /// What a client does when both sides have proved the same address.
    package enum BothVerified: String, Sendable, CaseIterable {
        /// Join the two, and tell the address.
        case link = "both_verified"
        /// Ask the person to sign in to the account first.
        case ask
    }

    package let bothVerified: BothVerified

    package init(bothVerified: BothVerified) {
        self.bothVerified = bothVerified
    }

    /// An account that has the address the credential speaks of.
    package struct Holder: Sendable, Equatable {
        package let account: UUID
        /// We sent a code and it came back, or an authority for the address said so.
        package let proved: Bool
        /// Whether somebody can still sign in to it.
        package var active: Bool

        package init(account: UUID, proved: Bool, active: Bool) {
            (self.account, self.proved, self.active) = (account, proved, active)
        }
    }

    package struct Facts: Sendable, Equatable {
        /// Whether the credential names an address at all (relay addresses are contact, and don't count).
        package let hasAddress: Bool
        /// Whether the provider is an authority for that address and says verified.
        package let providerIsAuthority: Bool
        package let holders: [Holder]
        /// Whether the network and the address may still ask for accounts by an address that the provider does not prove.
        package let isWithinBudget: Bool

        package init(hasAddress: Bool, providerIsAuthority: Bool, holders: [Holder], isWithinBudget: Bool = true) {
            (self.hasAddress, self.providerIsAuthority, self.holders) = (hasAddress, providerIsAuthority, holders)
            self.isWithinBudget = isWithinBudget
        }
    }

    /// The rules by name; a name stands in the audit log.
    package enum Rule: String, Sendable, CaseIterable {
        case noMatch = "no_match"
        case bothProved = "both_proved"
        case askFirst = "ask_first"
        case provedTakesUnproved = "proved_takes_unproved"
        case unprovedMayJoin = "unproved_may_join"
        /// Neither side has proved the address.
        case neitherProved = "neither_proved"
        /// The network or the address has used up its budget; whether an account has the address is not looked at.
        case overBudget = "over_budget"
        case holderUnusable = "holder_unusable"
        /// The request carried a session that was proved a short while ago; the policy isn't asked.
        case sessionBeside = "session_beside"
        /// The person was asked, and said no.
        case linkDeclined = "link_declined"
    }

    package enum Decision: Sendable, Equatable {
        /// A new account; `withAddress` says whether it carries the address, `takesAddress` whether the address is
        /// proved by it, which ends every unproved claim.
        case createAccount(rule: Rule, withAddress: Bool, takesAddress: Bool)
        case link(account: UUID, rule: Rule)
        /// The person proves that account first.
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
        // Not even a proof of the mailbox opens an account that was shut; the address stays where it is.
        guard holder.active else {
            return .createAccount(rule: .holderUnusable, withAddress: false, takesAddress: false)
        }
        switch bothVerified {
        case .link: return .link(account: holder.account, rule: .bothProved)
        case .ask: return .ask(account: holder.account, rule: .askFirst)
        }
    }

    /// The provider does not prove the address, so only a proof of the other account joins the two.
    ///
    /// An account that has not proved it counts for nothing: its claim must not put a question before strangers. Beyond the
    /// budget the answer is the same whether or not an account has the address, so that nobody finds out by asking.
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

    /// Rule, facts and answer, for the log and the audit row: what a person needs who asks "why did it join these two".
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
