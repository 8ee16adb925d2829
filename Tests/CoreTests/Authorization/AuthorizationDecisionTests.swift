import Foundation
import JSON
import Testing

@testable import Authorization
@testable import Clients
@testable import Sessions
@testable import SignIn
@testable import Vocabulary

/// The rules of single sign-on (OpenID Connect Core §3.1.2.1, §3.1.2.3).
@Suite struct AuthorizationDecisionTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let ann = UUID()

    /// A session of Ann that began, with its proof, some seconds ago.
    private static func session(
        age: TimeInterval = 100, acr: String = "1", provider: String = "password", account: UUID = ann,
        actor: UUID? = nil
    ) -> SessionSnapshot {
        let time = now.addingTimeInterval(-age)
        return SessionSnapshot(
            facts: AccessTokenFacts(
                session: UUID(), account: account, clientID: "other", provider: provider, authTime: time,
                amr: ["pwd"], acr: acr, actor: actor),
            account: AccountSummary(
                id: account, displayName: "Ann", email: "ann@example.com", emailVerified: true, createdAt: time),
            createdAt: time, expiresAt: now.addingTimeInterval(1_000), deviceName: nil, administers: false,
            dialect: .gateway, scopes: [], resources: .none, requestedClaims: .none,
            standing: .init(digest: [], idleSeconds: 600, idleExpiresAt: now.addingTimeInterval(500), claimsDueAt: nil))
    }

    private static func decide(
        _ changes: [String: String?] = [:], _ session: SessionSnapshot? = session(), client: Client? = nil,
        expected: String? = nil, subject: String? = ann.text, begun: TimeInterval? = nil, isChosen: Bool = false,
        isAgreed: Bool = true,
        isAgreedNow: Bool = false, canRaise: Bool = true
    ) throws -> AuthorizationDecision {
        let request = try AuthorizationRequestTests.request(
            changes, client: client ?? AuthorizationRequestTests.client())
        return AuthorizationDecision(
            request,
            .init(
                session: session, expected: expected ?? request.claims.subject, subject: subject,
                begun: begun.map { now.addingTimeInterval(-$0) }, isChosen: isChosen, isAgreed: isAgreed,
                isAgreedNow: isAgreedNow, canRaise: canRaise, now: now))
    }

    private static func word(_ decision: AuthorizationDecision) -> String? {
        if case .refuse(let fault) = decision { fault.word.rawValue } else { nil }
    }

    @Test("A session that serves the app needs no page; without one the user signs in")
    func plain() throws {
        #expect(try Self.decide() == .handOver)
        #expect(try Self.decide([:], nil) == .signIn(isAnew: false))
        #expect(try Self.decide(["prompt": "create"], nil) == .signUp)
    }

    @Test("prompt=none never leads to a page")
    func silent() throws {
        let third = AuthorizationRequestTests.client(openID: .unreadable)
        let strict = AuthorizationRequestTests.client(demandsSecondFactor: true)
        let none: [String: String?] = ["prompt": "none"]
        #expect(try Self.decide(none) == .handOver)
        #expect(Self.word(try Self.decide(none, nil)) == "login_required")
        #expect(Self.word(try Self.decide(none, client: third, isAgreed: false)) == "consent_required")
        #expect(Self.word(try Self.decide(none, client: strict)) == "interaction_required")
        #expect(Self.word(try Self.decide(["prompt": "none", "max_age": "10"])) == "login_required")
        #expect(Self.word(try Self.decide(none, expected: UUID().text)) == "login_required")
    }

    @Test("prompt=login and max_age=0 want a proof that is newer than the request", arguments: ["prompt", "max_age"])
    func anew(parameter: String) throws {
        let changes: [String: String?] = [parameter: parameter == "prompt" ? "login" : "0"]
        #expect(try Self.decide(changes) == .signIn(isAnew: true))
        #expect(try Self.decide(changes, begun: 50) == .signIn(isAnew: true))
        #expect(try Self.decide(changes, begun: 200) == .handOver)
    }

    @Test("max_age limits the age of the proof")
    func age() throws {
        #expect(try Self.decide(["max_age": "101"]) == .handOver)
        #expect(try Self.decide(["max_age": "99"]) == .signIn(isAnew: true))
        #expect(try Self.decide(["max_age": "99"], Self.session(age: 40), begun: 60) == .handOver)
    }

    @Test("The hint and the claim sub name the user who must answer")
    func otherUser() throws {
        let bob = UUID().text
        #expect(try Self.decide(expected: Self.ann.text) == .handOver)
        #expect(try Self.decide(expected: bob) == .signIn(isAnew: true))
        // After the sign-in it is still another user.
        #expect(Self.word(try Self.decide(expected: bob, begun: 200)) == "login_required")
        for sub in [bob, "nobody"] {
            let claims = "{\"id_token\": {\"sub\": {\"value\": \"\(sub)\"}}}"
            #expect(try Self.decide(["claims": claims]) == .signIn(isAnew: true))
        }
        // An app with pairwise subjects that never met the user expects another one.
        #expect(try Self.decide(expected: Self.ann.text, subject: nil) == .signIn(isAnew: true))
        #expect(try Self.decide(subject: nil) == .handOver)
    }

    @Test("A session by a method that the app does not offer does not serve it")
    func methods() throws {
        #expect(try Self.decide([:], Self.session(provider: "google")) == .signIn(isAnew: true))
        #expect(Self.word(try Self.decide([:], Self.session(provider: "google"), begun: 200)) == "access_denied")
        #expect(try Self.decide([:], Self.session(age: 864_001)) == .signIn(isAnew: true))
    }

    @Test("acr_values prefer a second factor, claims demand it")
    func levels() throws {
        #expect(try Self.decide(["acr_values": "2 1"]) == .raise)
        #expect(try Self.decide(["acr_values": "1 2"]) == .handOver)
        #expect(try Self.decide(["acr_values": "9"]) == .handOver)
        #expect(try Self.decide(["acr_values": "2"], canRaise: false) == .handOver)
        #expect(try Self.decide(["acr_values": "2"], Self.session(acr: "2")) == .handOver)
        let essential = "{\"id_token\": {\"acr\": {\"essential\": true, \"values\": [\"2\"]}}}"
        #expect(try Self.decide(["claims": essential]) == .raise)
        #expect(
            Self.word(try Self.decide(["claims": essential], canRaise: false)) == "unmet_authentication_requirements")
        let unknown = "{\"id_token\": {\"acr\": {\"essential\": true, \"value\": \"9\"}}}"
        #expect(Self.word(try Self.decide(["claims": unknown])) == "unmet_authentication_requirements")
    }

    @Test("An app that demands a second factor gets it by a step-up, or by a sign-in that sets one up")
    func demanded() throws {
        let strict = AuthorizationRequestTests.client(demandsSecondFactor: true)
        #expect(try Self.decide([:], client: strict) == .raise)
        #expect(try Self.decide([:], client: strict, canRaise: false) == .signIn(isAnew: true))
        #expect(try Self.decide([:], Self.session(acr: "2"), client: strict) == .handOver)
    }

    @Test("An operator who acts for a user reaches apps of the gateway alone, and raises nothing")
    func acting() throws {
        let acting = Self.session(age: 1_000_000, acr: "0", provider: "operator", actor: UUID())
        let strict = AuthorizationRequestTests.client(demandsSecondFactor: true)
        #expect(try Self.decide(["acr_values": "2"], acting, client: strict) == .handOver)
        for dialect in TokenDialect.allCases {
            let app = AuthorizationRequestTests.client()
            let expected: SingleSignOn = dialect == .gateway ? .serves : .signInDue
            #expect(SingleSignOn(acting, for: app, in: dialect, at: Self.now) == expected, "\(dialect)")
        }
    }

    @Test("Another maker's app gets nothing without a grant; prompt=consent asks again")
    func consent() throws {
        let third = AuthorizationRequestTests.client(openID: .unreadable)
        #expect(try Self.decide([:], client: third, isAgreed: false) == .consent)
        #expect(try Self.decide([:], client: third) == .handOver)
        let again: [String: String?] = ["prompt": "consent"]
        #expect(try Self.decide(again, client: third) == .consent)
        #expect(try Self.decide(again) == .consent)
        #expect(try Self.decide(again, isAgreedNow: true) == .handOver)
    }

    @Test("prompt=select_account asks once")
    func choice() throws {
        let changes: [String: String?] = ["prompt": "select_account"]
        #expect(try Self.decide(changes) == .choose)
        #expect(try Self.decide(changes, isChosen: true) == .handOver)
        #expect(try Self.decide(changes, begun: 200) == .handOver)
        #expect(try Self.decide(changes, nil) == .signIn(isAnew: true))
    }
}
