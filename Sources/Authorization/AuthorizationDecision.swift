import Clients
package import Foundation
package import Sessions
import SignIn

/// The next event of an authorization request: THE RULES of single sign-on, in one place.
package enum AuthorizationDecision: Equatable, Sendable {
    /// The app gets a code.
    case handOver
    case signIn(isAnew: Bool)
    case signUp
    /// The session gets a second factor.
    case raise
    /// The user chooses between the session's account and another one.
    case choose
    /// The user says what the app may have.
    case consent
    case refuse(AuthorizationFault)
}

extension AuthorizationDecision {
    /// The facts beside the request.
    package struct Facts: Sendable {
        /// The session of the browser.
        let session: SessionSnapshot?
        /// `sub` of the user that the app expects; nil for any.
        let expected: String?
        /// `sub` of the session's user at the app; nil without a session, and before the app has met the user.
        let subject: String?
        /// When the request arrived first; nil for now.
        let begun: Date?
        /// Whether the user continued with the session's account on our page.
        let isChosen: Bool
        /// Whether the user agreed, now or earlier, to what the request asks for.
        let isAgreed: Bool
        /// Whether the agreement is of this request.
        let isAgreedNow: Bool
        /// Whether the account can prove a second factor; true until it turned out otherwise.
        let canRaise: Bool
        let now: Date

        package init(
            session: SessionSnapshot?, expected: String? = nil, subject: String? = nil, begun: Date? = nil,
            isChosen: Bool = false, isAgreed: Bool = false, isAgreedNow: Bool = false, canRaise: Bool = true, now: Date
        ) {
            (self.session, self.expected, self.subject) = (session, expected, subject)
            (self.begun, self.now) = (begun, now)
            (self.isChosen, self.isAgreed, self.isAgreedNow) = (isChosen, isAgreed, isAgreedNow)
            self.canRaise = canRaise
        }
    }

    package init(_ request: AuthorizationRequest, _ facts: Facts) {
        let decision = Self.decide(request, facts)
        self = request.prompt.contains(.silent) ? decision.withoutPage : decision
    }

    private static func decide(_ request: AuthorizationRequest, _ facts: Facts) -> AuthorizationDecision {
        guard let session = facts.session else {
            return request.prompt.contains(.signUp) ? .signUp : .signIn(isAnew: request.prompt.asksAnew)
        }
        let isNew = facts.begun.map { session.createdAt >= $0 } ?? false
        if let expected = facts.expected, expected != facts.subject {
            return isNew ? .refuse(.otherUser) : .signIn(isAnew: true)
        }
        if request.prompt.contains(.signUp), !isNew { return .signUp }
        if request.demandsNewProof, !isNew { return .signIn(isAnew: true) }
        if let age = request.maximumAge, facts.now.timeIntervalSince(session.facts.authTime) > TimeInterval(age), !isNew
        {
            return .signIn(isAnew: true)
        }
        switch SingleSignOn(session, for: request.client, in: .gateway, at: facts.now) {
        case .serves: break
        // Without a second factor, the sign-in at the app asks to set one up.
        case .secondFactorDue: return facts.canRaise ? .raise : .signIn(isAnew: true)
        // A session that just began at this app and still does not serve it never will.
        case .signInDue: return isNew ? .refuse(.notServed) : .signIn(isAnew: true)
        }
        let isActing = session.facts.actor != nil
        if let due = level(request, session.facts.acr, facts.canRaise && !isActing) { return due }
        let question = questions(request, facts, isNew)
        return isActing ? question.withoutUser : question
    }

    /// The questions to a user whose session serves the app.
    private static func questions(
        _ request: AuthorizationRequest, _ facts: Facts, _ isNew: Bool
    ) -> AuthorizationDecision {
        let mustAgree = request.client.openID.isThirdParty && !facts.isAgreed
        let mustAgreeAgain = request.prompt.contains(.consent) && !facts.isAgreedNow
        if mustAgree || mustAgreeAgain { return .consent }
        if request.prompt.contains(.choosing), !facts.isChosen, !isNew, !facts.isAgreedNow { return .choose }
        return .handOver
    }

    /// A second factor if the app prefers or demands one (`acr_values`, `claims`).
    private static func level(
        _ request: AuthorizationRequest, _ reached: String, _ canRaise: Bool
    ) -> AuthorizationDecision? {
        let demanded = request.claims.essentialLevels
        if !demanded.isEmpty, !demanded.contains(reached) {
            return demanded.contains(Proofs.multiFactor) && canRaise ? .raise : .refuse(.levelOutOfReach)
        }
        let preferred = request.levels.first { Self.levels.contains($0) }
        return preferred == Proofs.multiFactor && reached != Proofs.multiFactor && canRaise ? .raise : nil
    }

    /// The levels of `acr` that a sign-in can reach, lowest first.
    package static let levels = [Proofs.singleFactor, Proofs.multiFactor]

    /// The same where an operator acts for the user: no answer of the operator is the user's.
    private var withoutUser: AuthorizationDecision {
        switch self {
        case .consent: .refuse(.operatorActs)
        case .choose: .handOver
        default: self
        }
    }

    /// The same for an app that wants no page (`prompt=none`).
    private var withoutPage: AuthorizationDecision {
        switch self {
        case .handOver, .refuse: self
        case .signIn, .signUp: .refuse(AuthorizationFault(.loginRequired, "the user must sign in"))
        case .raise: .refuse(AuthorizationFault(.interactionRequired, "a second factor is due"))
        case .choose: .refuse(AuthorizationFault(.accountSelectionRequired, "the user must choose an account"))
        case .consent: .refuse(AuthorizationFault(.consentRequired, "the user must agree"))
        }
    }
}

extension AuthorizationRequest {
    fileprivate var demandsNewProof: Bool { prompt.contains(.anew) || maximumAge == 0 }

    /// `sub` of the user that the app expects; nil for any.
    package func expected(_ hint: IDTokenHint?) -> String? { claims.subject ?? hint?.subject }
}

extension AuthorizationFault {
    fileprivate static let otherUser = AuthorizationFault(.loginRequired, "another user signed in")
    fileprivate static let notServed = AuthorizationFault(.accessDenied, "the app does not accept this sign-in method")
    fileprivate static let operatorActs = AuthorizationFault(
        .accessDenied, "an operator who acts for the user can't agree to what the app asks for")
    fileprivate static let levelOutOfReach = AuthorizationFault(
        .unmetAuthenticationRequirements, "no sign-in reaches the demanded acr")
}
