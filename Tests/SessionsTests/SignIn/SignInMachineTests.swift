import Accounts
import Foundation
import Testing

@testable import Sessions

@Suite("Sign-in machine")
struct SignInMachineTests {
    private static let holder = LinkingPolicy.Holder(account: UUID(), proved: true, active: true)

    private func machine(
        _ policy: LinkingPolicy.BothVerified = .link, authority: Bool = true, address: Bool = true,
        proves: Bool = false,
        beside: Bool = false
    ) -> SignInMachine {
        SignInMachine(
            policy: LinkingPolicy(bothVerified: policy), hasAddress: address, isAuthority: authority,
            provesLinkFlow: proves, carriesSession: beside)
    }

    @Test("known: one look-up, and done")
    func known() throws {
        var machine = machine()
        #expect(try machine.lookedUp(.signedIn) == .finish)
    }

    @Test("unknown and unmatched: look-up, new account, done")
    func unmatched() throws {
        var machine = machine()
        #expect(
            try machine.lookedUp(.unknown(holders: []))
                == .createAccount(rule: .noMatch, withAddress: true, takesAddress: true))
        #expect(try machine.changed(.done) == .finish)
    }

    @Test("both proved: look-up, link, done")
    func links() throws {
        var machine = machine()
        #expect(
            try machine.lookedUp(.unknown(holders: [Self.holder]))
                == .link(account: Self.holder.account, rule: .bothProved))
        #expect(try machine.changed(.done) == .finish)
    }

    @Test("policy ask: look-up, ask, done")
    func asks() throws {
        var machine = machine(.ask)
        #expect(
            try machine.lookedUp(.unknown(holders: [Self.holder]))
                == .askToLink(account: Self.holder.account, rule: .askFirst))
        #expect(try machine.changed(.done) == .finish)
    }

    @Test("a lost race decides again on what is so now")
    func races() throws {
        var machine = machine()
        _ = try machine.lookedUp(.unknown(holders: []))
        #expect(try machine.changed(.factsChanged) == .lookUp)
        #expect(try machine.lookedUp(.signedIn) == .finish)
    }

    @Test("facts that never rest end in a refusal, not in a loop")
    func givesUp() throws {
        var machine = machine()
        for _ in 1..<SignInMachine.mostAttempts {
            _ = try machine.lookedUp(.unknown(holders: []))
            #expect(try machine.changed(.factsChanged) == .lookUp)
        }
        _ = try machine.lookedUp(.unknown(holders: []))
        #expect(throws: Rejection.overloaded(retryAfter: 1)) { try machine.changed(.factsChanged) }
    }

    @Test("L-07: a proof that leads to nobody known joins nothing")
    func proofLeadsElsewhere() {
        var machine = machine(proves: true)
        #expect(throws: Rejection.linkSubjectChanged) { try machine.lookedUp(.unknown(holders: [])) }
    }

    @Test("unknown beside a session: its account is proved, then joined, and no policy is asked")
    func sessionBeside() throws {
        var machine = machine(.ask, beside: true)
        let account = UUID()
        #expect(try machine.lookedUp(.unknown(holders: [Self.holder])) == .proveSession)
        #expect(throws: Rejection.internalError) { try machine.changed(.done) }
        #expect(try machine.sessionProved(of: account) == .link(account: account, rule: .sessionBeside))
        #expect(try machine.changed(.factsChanged) == .lookUp)
        #expect(try machine.lookedUp(.signedIn) == .finish)
        #expect(throws: Rejection.internalError) { try machine.sessionProved(of: account) }
    }

    @Test("a proof for a link flow stays one beside a session")
    func proofBesideSession() {
        var machine = machine(proves: true, beside: true)
        #expect(throws: Rejection.linkSubjectChanged) { try machine.lookedUp(.unknown(holders: [])) }
    }

    @Test("a refusal ends it", arguments: [Rejection.tokenReplayed, .nonceUsed, .accountDisabled])
    func refusals(_ rejection: Rejection) throws {
        var early = machine()
        #expect(throws: rejection) { try early.lookedUp(.refused(rejection)) }
        var late = machine()
        _ = try late.lookedUp(.unknown(holders: []))
        #expect(throws: rejection) { try late.changed(.refused(rejection)) }
    }

    @Test("N1: an address that the provider does not prove is charged before anything is decided by it")
    func claim() throws {
        for holders in [[], [Self.holder]] {
            var machine = machine(authority: false)
            #expect(try machine.lookedUp(.unknown(holders: holders)) == .chargeClaim(holders: holders))
            #expect(throws: Rejection.internalError) { try machine.changed(.done) }
            #expect(
                try machine.claimCharged(withinBudget: false, holders: holders)
                    == .createAccount(rule: .overBudget, withAddress: false, takesAddress: false))
        }
    }

    @Test("N1: a holder that no sign-in can prove is not asked for")
    func unprovable() throws {
        var machine = machine(authority: false)
        _ = try machine.lookedUp(.unknown(holders: [Self.holder]))
        var holder = Self.holder
        holder.active = false
        #expect(
            try machine.claimCharged(withinBudget: true, holders: [holder])
                == .createAccount(rule: .holderUnusable, withAddress: false, takesAddress: false))
    }

    @Test("N1: a budget that was found empty stays so for the request, whatever races it loses")
    func budgetStaysEmpty() throws {
        var machine = machine(authority: false)
        _ = try machine.lookedUp(.unknown(holders: []))
        _ = try machine.claimCharged(withinBudget: false, holders: [])
        #expect(try machine.changed(.factsChanged) == .lookUp)
        #expect(try machine.lookedUp(.unknown(holders: [Self.holder])) == .chargeClaim(holders: [Self.holder]))
        #expect(
            try machine.claimCharged(withinBudget: true, holders: [Self.holder])
                == .createAccount(rule: .overBudget, withAddress: false, takesAddress: false))
    }

    @Test("N1: nothing is charged where the provider proves the address, or tells none", arguments: [true, false])
    func freeOfCharge(isAuthority: Bool) throws {
        var machine = machine(authority: isAuthority, address: isAuthority)
        let next = try machine.lookedUp(.unknown(holders: []))
        #expect(next == .createAccount(rule: .noMatch, withAddress: isAuthority, takesAddress: isAuthority))
    }

    @Test("events out of turn are our own mistake, and sign nobody in")
    func outOfTurn() throws {
        var fresh = machine()
        #expect(throws: Rejection.internalError) { try fresh.changed(.done) }
        var done = machine()
        _ = try done.lookedUp(.signedIn)
        #expect(throws: Rejection.internalError) { try done.lookedUp(.signedIn) }
    }
}
