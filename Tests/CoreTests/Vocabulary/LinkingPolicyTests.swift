import Foundation
import JSON
import Testing

@testable import Vocabulary

@Suite("Linking policy")
struct LinkingPolicyTests {
    private static let proved = LinkingPolicy.Holder(account: UUID(), proved: true, active: true)
    private static let unproved = LinkingPolicy.Holder(account: UUID(), proved: false, active: true)
    private static let shut = LinkingPolicy.Holder(account: UUID(), proved: true, active: false)
    private static let shutUnproved = LinkingPolicy.Holder(account: UUID(), proved: false, active: false)

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        var policy = LinkingPolicy.BothVerified.link
        var hasAddress = true
        let authority: Bool
        let holders: [LinkingPolicy.Holder]
        let expected: LinkingPolicy.Decision
        var testDescription: String { name }
    }

    static let table: [Row] = [
        Row(
            name: "authority, proved: join", authority: true, holders: [proved],
            expected: .link(account: proved.account, rule: .bothProved)),
        Row(
            name: "authority, proved, policy ask: ask", policy: .ask, authority: true, holders: [proved],
            expected: .ask(account: proved.account, rule: .askFirst)),
        Row(
            name: "authority, unproved: a clean account takes the address", authority: true, holders: [unproved],
            expected: .createAccount(rule: .provedTakesUnproved, withAddress: true, takesAddress: true)),
        Row(
            name: "authority, a proved one beside unproved ones: join the proved one", authority: true,
            holders: [unproved, proved], expected: .link(account: proved.account, rule: .bothProved)),
        Row(
            name: "authority, proved but shut: a new account without the address", authority: true, holders: [shut],
            expected: .createAccount(rule: .holderUnusable, withAddress: false, takesAddress: false)),
        Row(
            name: "no authority, proved: ask", authority: false, holders: [proved],
            expected: .ask(account: proved.account, rule: .unprovedMayJoin)),
        Row(
            name: "N1: no authority, unproved: a new account claims it too", authority: false, holders: [unproved],
            expected: .createAccount(rule: .neitherProved, withAddress: true, takesAddress: false)),
        Row(
            name: "N1: no authority, a proved one behind unproved ones: ask for the proved one", authority: false,
            holders: [unproved, proved], expected: .ask(account: proved.account, rule: .unprovedMayJoin)),
        Row(
            name: "N1: no authority, a shut one beside an unproved one: nobody is asked for the unproved one",
            authority: false, holders: [shut, unproved],
            expected: .createAccount(rule: .holderUnusable, withAddress: false, takesAddress: false)),
        Row(
            name: "no authority, only shut ones: a new account without the address", authority: false,
            holders: [shutUnproved, shut],
            expected: .createAccount(rule: .holderUnusable, withAddress: false, takesAddress: false)),
        Row(
            name: "nobody has it, authority: a new account proves it", authority: true, holders: [],
            expected: .createAccount(rule: .noMatch, withAddress: true, takesAddress: true)),
        Row(
            name: "nobody has it, no authority: a new account claims it", authority: false, holders: [],
            expected: .createAccount(rule: .noMatch, withAddress: true, takesAddress: false)),
        Row(
            name: "no address: a new account", hasAddress: false, authority: true, holders: [],
            expected: .createAccount(rule: .noMatch, withAddress: false, takesAddress: false)),
        Row(
            name: "no address counts before everything else", hasAddress: false, authority: true, holders: [proved],
            expected: .createAccount(rule: .noMatch, withAddress: false, takesAddress: false)),
    ]

    @Test("each row of the linking table", arguments: table)
    func decides(_ row: Row) {
        let policy = LinkingPolicy(bothVerified: row.policy)
        let facts = LinkingPolicy.Facts(
            hasAddress: row.hasAddress, providerIsAuthority: row.authority, holders: row.holders)
        #expect(policy.decide(facts) == row.expected)
    }

    @Test("explain names the rule that decided and repeats the facts", arguments: table)
    func explains(_ row: Row) {
        let policy = LinkingPolicy(bothVerified: row.policy)
        let facts = LinkingPolicy.Facts(
            hasAddress: row.hasAddress, providerIsAuthority: row.authority, holders: row.holders)
        let explain = policy.explain(facts)
        #expect(explain["rule"]?.string == row.expected.rule.rawValue)
        #expect(explain["policy"]?.string == row.policy.rawValue)
        #expect(explain["facts"]?["provider_is_authority"]?.bool == row.authority)
        #expect(explain["facts"]?["proved_holders"]?.integer == row.holders.filter(\.proved).count)
    }

    @Test("N1: beyond the budget the answer does not depend on the address holder")
    func overBudget() {
        let combinations: [[LinkingPolicy.Holder]] = [
            [], [Self.proved], [Self.unproved], [Self.shut], [Self.unproved, Self.proved],
        ]
        for policy in LinkingPolicy.BothVerified.allCases {
            for holders in combinations {
                let facts = LinkingPolicy.Facts(
                    hasAddress: true, providerIsAuthority: false, holders: holders, isWithinBudget: false)
                #expect(
                    LinkingPolicy(bothVerified: policy).decide(facts)
                        == .createAccount(rule: .overBudget, withAddress: false, takesAddress: false))
            }
        }
    }

    @Test("L-05: without an authority no facts link an identity automatically")
    func neverLinksWithoutAuthority() {
        let pool = [Self.proved, Self.unproved, Self.shut, Self.shutUnproved]
        for policy in LinkingPolicy.BothVerified.allCases {
            for pick in 0..<16 {
                let holders = pool.indices.filter { pick & (1 << $0) != 0 }.map { pool[$0] }
                let facts = LinkingPolicy.Facts(hasAddress: true, providerIsAuthority: false, holders: holders)
                if case .link = LinkingPolicy(bothVerified: policy).decide(facts) { Issue.record("joined: \(holders)") }
            }
        }
    }
}
