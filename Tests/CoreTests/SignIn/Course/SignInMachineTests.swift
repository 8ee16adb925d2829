import Foundation
import Testing

@testable import SignIn
@testable import Vocabulary

@Suite("Sign-in machine")
struct SignInMachineTests {
    private static let holder = LinkingPolicy.Holder(account: UUID(), proved: true, active: true)

    private static let person = SignInStore.Person(
        account: AccountSummary(
            id: UUID(), displayName: nil, email: nil, emailVerified: false, createdAt: Date(timeIntervalSince1970: 0)),
        identity: IdentitySummary(id: UUID(), provider: "apple", subject: "s"))
    private static let known = SignInMachine.Action.handOut(person, isNew: false)
    private static let new = SignInMachine.Action.handOut(person, isNew: true)

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
        #expect(try machine.handle(.signedIn(Self.person, isNew: false)) == Self.known)
    }

    @Test("unknown and unmatched: look-up, new account, done")
    func unmatched() throws {
        var machine = machine()
        #expect(
            try machine.handle(.unknown(holders: []))
                == .createAccount(rule: .noMatch, withAddress: true, takesAddress: true))
        #expect(try machine.handle(.signedIn(Self.person, isNew: true)) == Self.new)
    }

    @Test("both proved: look-up, link, done")
    func links() throws {
        var machine = machine()
        #expect(
            try machine.handle(.unknown(holders: [Self.holder]))
                == .link(account: Self.holder.account, rule: .bothProved))
        #expect(try machine.handle(.signedIn(Self.person, isNew: false)) == Self.known)
    }

    @Test("policy ask: look-up, ask, done")
    func asks() throws {
        var machine = machine(.ask)
        #expect(
            try machine.handle(.unknown(holders: [Self.holder]))
                == .askToLink(account: Self.holder.account, rule: .askFirst))
        let pending = PendingStep(flow: "f", expiresIn: 600, step: .linkAccount(maskedEmail: "a•••"))
        #expect(try machine.handle(.linkAsked(pending)) == .show(pending))
    }

    @Test("a lost race decides again by the current state")
    func races() throws {
        var machine = machine()
        _ = try machine.handle(.unknown(holders: []))
        #expect(try machine.handle(.factsChanged) == .lookUp)
        #expect(try machine.handle(.signedIn(Self.person, isNew: false)) == Self.known)
    }

    @Test("constantly changing facts end in a refusal, not in a loop")
    func givesUp() throws {
        var machine = machine()
        for _ in 1..<SignInMachine.mostAttempts {
            _ = try machine.handle(.unknown(holders: []))
            #expect(try machine.handle(.factsChanged) == .lookUp)
        }
        _ = try machine.handle(.unknown(holders: []))
        #expect(throws: Rejection.overloaded(retryAfter: 1)) { try machine.handle(.factsChanged) }
    }

    @Test("L-07: an unknown identity cannot complete a link flow")
    func proofLeadsElsewhere() {
        var machine = machine(proves: true)
        #expect(throws: Rejection.linkSubjectChanged) { try machine.handle(.unknown(holders: [])) }
    }

    @Test("unknown, with a session: its account is proved, then linked, without a policy")
    func accompanyingSession() throws {
        var machine = machine(.ask, beside: true)
        let account = UUID()
        let session = SignInMachine.ProvedSession(id: UUID(), account: account)
        #expect(try machine.handle(.unknown(holders: [Self.holder])) == .proveSession)
        #expect(throws: Rejection.internalError) { try machine.handle(.signedIn(Self.person, isNew: true)) }
        #expect(try machine.handle(.sessionProved(session)) == .link(account: account, rule: .accompanyingSession))
        #expect(try machine.handle(.factsChanged) == .lookUp)
        #expect(try machine.handle(.signedIn(Self.person, isNew: false)) == Self.known)
        #expect(throws: Rejection.internalError) { try machine.handle(.sessionProved(session)) }
    }

    @Test("a proof for a link flow stays one, even with a session")
    func proofBesideSession() {
        var machine = machine(proves: true, beside: true)
        #expect(throws: Rejection.linkSubjectChanged) { try machine.handle(.unknown(holders: [])) }
    }

    @Test("a refusal ends the sign-in", arguments: [Rejection.tokenReplayed, .nonceUsed, .accountDisabled])
    func refusals(_ rejection: Rejection) throws {
        var early = machine()
        #expect(throws: rejection) { try early.handle(.refused(rejection)) }
        var late = machine()
        _ = try late.handle(.unknown(holders: []))
        #expect(throws: rejection) { try late.handle(.refused(rejection)) }
    }

    @Test("N1: an unproved address is charged before any decision about it")
    func claim() throws {
        for holders in [[], [Self.holder]] {
            var machine = machine(authority: false)
            #expect(try machine.handle(.unknown(holders: holders)) == .chargeClaim(holders: holders, isFirst: true))
            #expect(throws: Rejection.internalError) { try machine.handle(.signedIn(Self.person, isNew: true)) }
            #expect(
                try machine.handle(.claimCharged(withinBudget: false, holders: holders))
                    == .createAccount(rule: .overBudget, withAddress: false, takesAddress: false))
        }
    }

    @Test("N1: a holder without a provable sign-in method is not offered")
    func unprovable() throws {
        var machine = machine(authority: false)
        _ = try machine.handle(.unknown(holders: [Self.holder]))
        var holder = Self.holder
        holder.active = false
        #expect(
            try machine.handle(.claimCharged(withinBudget: true, holders: [holder]))
                == .createAccount(rule: .holderUnusable, withAddress: false, takesAddress: false))
    }

    @Test("N1: an empty budget stays empty for the request, also after a lost race")
    func budgetStaysEmpty() throws {
        var machine = machine(authority: false)
        _ = try machine.handle(.unknown(holders: []))
        _ = try machine.handle(.claimCharged(withinBudget: false, holders: []))
        #expect(try machine.handle(.factsChanged) == .lookUp)
        #expect(
            try machine.handle(.unknown(holders: [Self.holder]))
                == .chargeClaim(holders: [Self.holder], isFirst: false))
        #expect(
            try machine.handle(.claimCharged(withinBudget: true, holders: [Self.holder]))
                == .createAccount(rule: .overBudget, withAddress: false, takesAddress: false))
    }

    @Test("N1: no charge if the provider proves the address, or has none", arguments: [true, false])
    func freeOfCharge(isAuthority: Bool) throws {
        var machine = machine(authority: isAuthority, address: isAuthority)
        let next = try machine.handle(.unknown(holders: []))
        #expect(next == .createAccount(rule: .noMatch, withAddress: isAuthority, takesAddress: isAuthority))
    }

    @Test("a declined link: a new account without the address, and no second attempt")
    func declined() throws {
        var machine = SignInMachine(declining: LinkingPolicy(bothVerified: .link))
        #expect(
            machine.beginning == .createAccount(rule: .linkDeclined, withAddress: false, takesAddress: false))
        #expect(throws: Rejection.flowExpired) { try machine.handle(.factsChanged) }
        var other = SignInMachine(declining: LinkingPolicy(bothVerified: .link))
        #expect(try other.handle(.signedIn(Self.person, isNew: true)) == Self.new)
    }

    @Test("events out of order are an internal error, and create no session")
    func outOfTurn() throws {
        var fresh = machine()
        let pending = PendingStep(flow: "fl_x", expiresIn: 600, step: .linkAccount(maskedEmail: "a•••"))
        #expect(throws: Rejection.internalError) { try fresh.handle(.linkAsked(pending)) }
        var done = machine()
        _ = try done.handle(.signedIn(Self.person, isNew: false))
        #expect(throws: Rejection.internalError) { try done.handle(.signedIn(Self.person, isNew: false)) }
    }
}
