import Accounts
import Foundation

/// Decides the course of a sign-in with a provider's verified credential.
///
/// Pure: no clock, no SQL, no HTTP.
///
/// `lookingUp` → `signedIn`, or (unknown identity) → `changing` → `signedIn` or `asked`, by way of `provingSession` where
/// the request carries one, or of `chargingClaim` where the provider does not prove the address; a lost race leads from
/// `changing` back to `lookingUp`, a bounded number of times. A refusal ends it from anywhere.
struct SignInMachine: Sendable, Equatable {
    /// What the driver does next.
    enum Action: Sendable, Equatable {
        /// Look the identity up, and sign in if it is known.
        case lookUp
        /// Charge the network and the address for a claim that the provider does not prove, whether or not an account has
        /// the address, and see which of these accounts can be proved by a sign-in.
        case chargeClaim(holders: [LinkingPolicy.Holder])
        case createAccount(rule: LinkingPolicy.Rule, withAddress: Bool, takesAddress: Bool)
        case link(account: UUID, rule: LinkingPolicy.Rule)
        /// See whose the session is that the request carries, and that it is fresh enough to gain an identity.
        case proveSession
        /// Keep the identity and ask for a proof of that account.
        case askToLink(account: UUID, rule: LinkingPolicy.Rule)
        case finish
    }

    /// What the look-up found.
    enum LookUp: Sendable, Equatable {
        case signedIn
        /// Known, and something more is due.
        case further
        case unknown(holders: [LinkingPolicy.Holder])
        /// Somebody else was faster than the account that was to be made.
        case factsChanged
        case refused(Rejection)
    }

    /// What a change came to.
    enum Change: Sendable, Equatable {
        case done
        /// Changed, and something more is due before there is a session.
        case further
        /// Somebody else was faster: what was decided on is no longer so.
        case factsChanged
        case refused(Rejection)
    }

    private enum State: Sendable, Equatable {
        case lookingUp(attempt: Int)
        case provingSession(attempt: Int)
        case chargingClaim(attempt: Int)
        case changing(attempt: Int)
        case finished
    }

    /// How often the facts may change under a decision before the request gives up.
    static let mostAttempts = 4

    private var state = State.lookingUp(attempt: 1)
    private let policy: LinkingPolicy
    private let hasAddress: Bool
    private let isAuthority: Bool
    /// Whether the sign-in is itself the proof that another identity's link flow waits for: then it must lead to an
    /// account that is there already.
    private let provesLinkFlow: Bool
    /// Whether somebody signed in asks: then an unknown identity joins their account.
    private let carriesSession: Bool
    /// False from the moment that the budget of the network or the address is found empty.
    private var isWithinBudget = true

    init(
        policy: LinkingPolicy, hasAddress: Bool, isAuthority: Bool, provesLinkFlow: Bool, carriesSession: Bool = false
    ) {
        (self.policy, self.hasAddress, self.isAuthority) = (policy, hasAddress, isAuthority)
        (self.provesLinkFlow, self.carriesSession) = (provesLinkFlow, carriesSession)
    }

    func facts(_ holders: [LinkingPolicy.Holder]) -> LinkingPolicy.Facts {
        LinkingPolicy.Facts(
            hasAddress: hasAddress, providerIsAuthority: isAuthority, holders: holders, isWithinBudget: isWithinBudget)
    }

    /// What an unknown identity comes to where no account has its address, so that the look-up may do it at once; nil where
    /// more has to be asked first.
    var unlessKnown: Action? {
        guard !provesLinkFlow, !carriesSession, !hasAddress || isAuthority else { return nil }
        guard case .createAccount(let rule, let withAddress, let takesAddress) = policy.decide(facts([])) else {
            return nil
        }
        return .createAccount(rule: rule, withAddress: withAddress, takesAddress: takesAddress)
    }

    mutating func lookedUp(_ found: LookUp) throws(Rejection) -> Action {
        guard case .lookingUp(let attempt) = state else { throw .internalError }
        switch found {
        case .signedIn, .further:
            state = .finished
            return .finish
        case .refused(let rejection):
            state = .finished
            throw rejection
        case .factsChanged: return try again(after: attempt)
        case .unknown(let holders):
            // A new account proves nothing about the one that the flow names.
            guard !provesLinkFlow else { throw .linkSubjectChanged }
            guard !carriesSession else {
                state = .provingSession(attempt: attempt)
                return .proveSession
            }
            guard !hasAddress || isAuthority else {
                state = .chargingClaim(attempt: attempt)
                return .chargeClaim(holders: holders)
            }
            return decided(policy.decide(facts(holders)), attempt)
        }
    }

    /// The claim was charged: `withinBudget` says whether the budget had room, `holders` has `active` only where the account
    /// can be proved by a sign-in.
    mutating func claimCharged(withinBudget: Bool, holders: [LinkingPolicy.Holder]) throws(Rejection) -> Action {
        guard case .chargingClaim(let attempt) = state else { throw .internalError }
        isWithinBudget = isWithinBudget && withinBudget
        return decided(policy.decide(facts(holders)), attempt)
    }

    /// The session is live, fresh, and of that account.
    mutating func sessionProved(of account: UUID) throws(Rejection) -> Action {
        guard case .provingSession(let attempt) = state else { throw .internalError }
        state = .changing(attempt: attempt)
        return .link(account: account, rule: .sessionBeside)
    }

    mutating func changed(_ change: Change) throws(Rejection) -> Action {
        guard case .changing(let attempt) = state else { throw .internalError }
        switch change {
        case .done, .further:
            state = .finished
            return .finish
        case .refused(let rejection):
            state = .finished
            throw rejection
        case .factsChanged: return try again(after: attempt)
        }
    }

    private mutating func again(after attempt: Int) throws(Rejection) -> Action {
        guard attempt < Self.mostAttempts else { throw .overloaded(retryAfter: 1) }
        state = .lookingUp(attempt: attempt + 1)
        return .lookUp
    }

    private mutating func decided(_ decision: LinkingPolicy.Decision, _ attempt: Int) -> Action {
        switch decision {
        case .createAccount(let rule, let withAddress, let takesAddress):
            state = .changing(attempt: attempt)
            return .createAccount(rule: rule, withAddress: withAddress, takesAddress: takesAddress)
        case .link(let account, let rule):
            state = .changing(attempt: attempt)
            return .link(account: account, rule: rule)
        case .ask(let account, let rule):
            state = .changing(attempt: attempt)
            return .askToLink(account: account, rule: rule)
        }
    }
}
