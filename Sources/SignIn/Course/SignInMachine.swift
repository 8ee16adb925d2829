import Foundation
import Vocabulary

/// Decides the course of a sign-in with a provider's verified credential.
///
/// Pure: no clock, no SQL, no HTTP. The driver carries out each ``Action`` and reports its ``Event``.
///
/// `lookingUp` → `finished`, or for an unknown identity → `changing` → `finished`. Before `changing` come
/// `provingSession` where the request carries a session, and `chargingClaim` where the provider does not prove the
/// address. A lost race leads from `changing` back to `lookingUp`, a bounded number of times. A declined link begins
/// at `changing`. A refusal ends the sign-in from any state.
struct SignInMachine: Sendable, Equatable {
    /// The driver's next task.
    enum Action: Sendable, Equatable {
        /// Look the identity up, and sign in if it is known.
        case lookUp
        /// Charge the network and the address for an unproved claim, whether or not an account has the address. Find out
        /// which of these holders a sign-in can prove.
        ///
        /// A request pays once, however often the facts change: `isFirst`.
        case chargeClaim(holders: [LinkingPolicy.Holder], isFirst: Bool)
        case createAccount(rule: LinkingPolicy.Rule, withAddress: Bool, takesAddress: Bool)
        case link(account: UUID, rule: LinkingPolicy.Rule)
        /// Find the account of the request's session, which must be fresh enough to gain an identity.
        case proveSession
        /// Keep the identity and ask for a proof of that account.
        case askToLink(account: UUID, rule: LinkingPolicy.Rule)
        /// The end: hand the session out.
        case handOut(SignInStore.Person, isNew: Bool)
        /// The end: go on with the step that is due. The proofs are in a flow with the id of the session.
        case goOn
        /// The end: show this step.
        case show(PendingStep)
    }

    /// The outcome of an action.
    enum Event: Sendable, Equatable {
        /// The identity was known, got a new account (`isNew`) or joined one.
        case signedIn(SignInStore.Person, isNew: Bool)
        /// The account is known, made or joined, and a further step is due.
        case stepDue
        case unknown(holders: [LinkingPolicy.Holder])
        /// `holders` has `active` only where a sign-in can prove the account.
        case claimCharged(withinBudget: Bool, holders: [LinkingPolicy.Holder])
        case sessionProved(ProvedSession)
        /// The identity waits for a proof of the other account.
        case linkAsked(PendingStep)
        /// Another request changed the facts of the decision.
        case factsChanged
        case refused(Rejection)
    }

    /// A live, fresh session that the identity may join.
    struct ProvedSession: Sendable, Equatable {
        let id: UUID
        let account: UUID
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

    /// The holders of the address, from the last look-up.
    private(set) var holders: [LinkingPolicy.Holder] = []
    /// The session that the identity joins, once it is proved.
    private(set) var session: ProvedSession?
    private var state = State.lookingUp(attempt: 1)
    private let policy: LinkingPolicy
    private let hasAddress: Bool
    private let isAuthority: Bool
    /// Whether the sign-in proves the account that another identity's link flow waits for.
    private let provesLinkFlow: Bool
    /// Whether the request carries a session: then an unknown identity joins its account.
    private let carriesSession: Bool
    private let declinesLink: Bool
    /// False from the moment that the budget of the network or the address is found empty.
    private var isWithinBudget = true
    private var hasCharged = false

    init(
        policy: LinkingPolicy, hasAddress: Bool, isAuthority: Bool, provesLinkFlow: Bool, carriesSession: Bool = false
    ) {
        (self.policy, self.hasAddress, self.isAuthority) = (policy, hasAddress, isAuthority)
        (self.provesLinkFlow, self.carriesSession, declinesLink) = (provesLinkFlow, carriesSession, false)
    }

    /// The machine of a declined link flow.
    init(declining policy: LinkingPolicy) {
        (self.policy, hasAddress, isAuthority) = (policy, false, false)
        (provesLinkFlow, carriesSession, declinesLink) = (false, false, true)
        state = .changing(attempt: Self.mostAttempts)
    }

    /// The first action.
    var beginning: Action {
        declinesLink ? .createAccount(rule: .linkDeclined, withAddress: false, takesAddress: false) : .lookUp
    }

    /// The facts of the decision, as far as they are known.
    var facts: LinkingPolicy.Facts {
        LinkingPolicy.Facts(
            hasAddress: hasAddress, providerIsAuthority: isAuthority, holders: holders, isWithinBudget: isWithinBudget)
    }

    /// The new account for an unknown identity whose address no account has: the look-up may make it at once.
    ///
    /// Nil where more has to be asked first.
    var unlessKnown: Action? {
        guard !provesLinkFlow, !carriesSession, !hasAddress || isAuthority else { return nil }
        guard case .createAccount(let rule, let withAddress, let takesAddress) = policy.decide(facts) else {
            return nil
        }
        return .createAccount(rule: rule, withAddress: withAddress, takesAddress: takesAddress)
    }

    /// - Throws: the refusal that ends the sign-in; `internalError` for an event out of turn.
    mutating func handle(_ event: Event) throws(Rejection) -> Action {
        switch (state, event) {
        case (.finished, _): throw .internalError
        case (_, .refused(let rejection)):
            state = .finished
            throw rejection
        case (.lookingUp, .signedIn(let person, let isNew)), (.changing, .signedIn(let person, let isNew)):
            return end(with: .handOut(person, isNew: isNew))
        case (.lookingUp, .stepDue), (.changing, .stepDue): return end(with: .goOn)
        case (.changing, .linkAsked(let pending)): return end(with: .show(pending))
        case (.lookingUp(let attempt), .unknown(let holders)):
            self.holders = holders
            return try unknown(attempt)
        case (.chargingClaim(let attempt), .claimCharged(let withinBudget, let holders)):
            self.holders = holders
            (isWithinBudget, hasCharged) = (isWithinBudget && withinBudget, true)
            return decided(policy.decide(facts), attempt)
        case (.provingSession(let attempt), .sessionProved(let session)):
            self.session = session
            state = .changing(attempt: attempt)
            return .link(account: session.account, rule: .accompanyingSession)
        case (.lookingUp(let attempt), .factsChanged), (.changing(let attempt), .factsChanged):
            return try again(after: attempt)
        default: throw .internalError
        }
    }

    private mutating func end(with action: Action) -> Action {
        state = .finished
        return action
    }

    private mutating func unknown(_ attempt: Int) throws(Rejection) -> Action {
        // A new account proves nothing about the account that the flow names.
        guard !provesLinkFlow else { throw .linkSubjectChanged }
        guard !carriesSession else {
            state = .provingSession(attempt: attempt)
            return .proveSession
        }
        guard !hasAddress || isAuthority else {
            state = .chargingClaim(attempt: attempt)
            return .chargeClaim(holders: holders, isFirst: !hasCharged)
        }
        return decided(policy.decide(facts), attempt)
    }

    private mutating func again(after attempt: Int) throws(Rejection) -> Action {
        guard !declinesLink else { throw .flowExpired }
        guard attempt < Self.mostAttempts else { throw .overloaded(retryAfter: 1) }
        state = .lookingUp(attempt: attempt + 1)
        holders = []
        return .lookUp
    }

    private mutating func decided(_ decision: LinkingPolicy.Decision, _ attempt: Int) -> Action {
        state = .changing(attempt: attempt)
        switch decision {
        case .createAccount(let rule, let withAddress, let takesAddress):
            return .createAccount(rule: rule, withAddress: withAddress, takesAddress: takesAddress)
        case .link(let account, let rule): return .link(account: account, rule: rule)
        case .ask(let account, let rule): return .askToLink(account: account, rule: rule)
        }
    }
}
