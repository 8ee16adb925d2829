import Cryptography
import Foundation
import Testing

@testable import SignIn
@testable import Vocabulary

@Suite struct WebFlowTests {
    private let flows: WebFlows
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    init() throws {
        flows = WebFlows(keys: try MasterKeys("k1:" + Base64URL.encode(RandomBytes.system(32))))
    }

    private func begin(
        _ intent: WebFlow.Intent = .signIn, target: LoginTarget.Asked = .init(), provider: String = "apple"
    ) -> WebFlows.Begun {
        flows.begin { id, binding in
            WebFlow(
                id: id, binding: binding, expires: now.addingTimeInterval(600), provider: provider, client: "app",
                intent: intent, target: target, linkFlow: "fl_x", locales: "de")
        }
    }

    @Test(
        "A state contains the parameters of its flow", arguments: [WebFlow.Intent.signIn, .link(session: UUID())])
    func roundTrip(_ intent: WebFlow.Intent) throws {
        let target = LoginTarget.Asked(
            redirectURI: "org.example.app:/back", state: "é ö", challenge: "c", returnTo: "/admin?q=1", scope: "openid",
            nonce: "n")
        let flow = try #require(flows.open(begin(intent, target: target).state))
        #expect(flow.intent == intent)
        #expect(flow.target == target)
        #expect(flow.provider == "apple")
        #expect(flow.client == "app")
        #expect(flow.linkFlow == "fl_x")
        #expect(flow.locales == "de")
    }

    /// The longest values, of characters that JSON has to escape where possible.
    private static let longest = LoginTarget.Asked(
        redirectURI: "https://" + String(repeating: "a", count: 504),
        state: String(repeating: "\\", count: LoginTarget.maximumStateLength - 518),
        challenge: String(repeating: "c", count: 43), scope: "openid", nonce: String(repeating: "\\", count: 512))
    private static let longestFlow = String(repeating: "f", count: 160)
    private static let longestLocales = String(repeating: "\u{1}", count: 128)

    @Test("The longest state and the longest ticket can be opened")
    func lengths() throws {
        let begun = flows.begin { id, binding in
            WebFlow(
                id: id, binding: binding, expires: now.addingTimeInterval(600), provider: "microsoft", client: "app",
                intent: .link(session: UUID()), target: Self.longest, linkFlow: Self.longestFlow,
                locales: Self.longestLocales)
        }
        #expect(flows.open(begun.state)?.target == Self.longest)
        let tickets = WebTickets(keys: try MasterKeys("k1:" + Base64URL.encode(RandomBytes.system(32))))
        let ticket = WebTickets.Ticket(
            client: "app", target: Self.longest, intent: .link(session: UUID()), flow: Self.longestFlow,
            locales: Self.longestLocales)
        #expect(tickets.open(tickets.seal(ticket, for: "browser", at: now), for: "browser", at: now) == ticket)
    }

    @Test("With an app's longest state, our state stays within Microsoft's 1,800 characters")
    func lengthAtProviders() {
        let longest = LoginTarget.maximumStateLength
        for (scope, nonce) in [(nil, nil), ("openid", String(repeating: "n", count: 512))] as [(String?, String?)] {
            let ordered = (scope ?? "").utf8.count + (nonce ?? "").utf8.count
            let target = LoginTarget.Asked(
                redirectURI: "https://www.example.com/signin-oauth",
                state: String(repeating: "a", count: longest - ordered),
                challenge: String(repeating: "c", count: 43), scope: scope, nonce: nonce)
            #expect(begin(target: target, provider: "microsoft").state.utf8.count < 1_800)
        }
    }

    @Test("The cookie proves the browser, and another flow's cookie doesn't")
    func binding() throws {
        let (one, other) = (begin(), begin())
        let flow = try #require(flows.open(one.state))
        #expect(flows.secrets(of: flow, cookie: one.cookie.value)?.nonce == one.secrets.nonce)
        #expect(flows.secrets(of: flow, cookie: other.cookie.value) == nil)
        #expect(flows.secrets(of: flow, cookie: nil) == nil)
        #expect(flows.cookieName(of: flow) == one.cookie.name)
        #expect(one.cookie.name != other.cookie.name)
        #expect(one.cookie.name.hasPrefix("__Host-flow-"))
        #expect(PKCE.isWellFormed(verifier: one.secrets.codeVerifier))
        #expect(one.secrets.codeVerifier != one.secrets.nonce)
    }

    @Test("A change of any character of a state is detected")
    func integrity() {
        let state = Array(begin().state)
        for index in stride(from: 0, to: state.count, by: 7) {
            var changed = state
            changed[index] = changed[index] == "A" ? "B" : "A"
            #expect(flows.open(String(changed)) == nil)
        }
        #expect(flows.open("") == nil)
        #expect(flows.open(String(repeating: "A", count: 5_000)) == nil)
    }

    @Test("The state alone reveals neither nonce nor verifier")
    func secrecy() throws {
        let begun = begin()
        let sealed = try #require(Base64URL.decode(begun.state))
        let text = String(decoding: sealed, as: UTF8.self)
        #expect(!text.contains("apple"))
        #expect(!text.contains(begun.secrets.nonce))
    }

    @Test("An answer is checked before its content is used")
    func judgement() throws {
        let flow = try #require(flows.open(begin().state))
        let good = WebCallback(provider: "apple", code: "c")
        #expect(try good.judge(flow, isBound: true, at: now) == .code("c"))
        #expect(throws: Rejection.stateNotBound) { try good.judge(flow, isBound: false, at: now) }
        #expect(throws: Rejection.flowExpired) {
            try good.judge(flow, isBound: true, at: now.addingTimeInterval(600))
        }
        #expect(throws: Rejection.mixup) {
            try WebCallback(provider: "microsoft", code: "c").judge(flow, isBound: true, at: now)
        }
        let cancelled = WebCallback(provider: "apple", error: "access_denied")
        #expect(try cancelled.judge(flow, isBound: true, at: now) == .error("access_denied"))
    }

    @Test(
        "An answer with both code and error, or neither, is refused",
        arguments: [("c", "e"), (nil, nil)] as [(String?, String?)])
    func ambiguity(_ code: String?, _ error: String?) throws {
        let flow = try #require(flows.open(begin().state))
        #expect(throws: Rejection.invalidField(.providerAnswer, .codeOrError)) {
            try WebCallback(provider: "apple", code: code, error: error).judge(flow, isBound: true, at: now)
        }
    }

    @Test("S-16 the cookie of a flow stays under 200 bytes")
    func cookieSize() {
        let cookie = begin(target: .init(redirectURI: String(repeating: "a", count: 500))).cookie
        let header = "\(cookie.name)=\(cookie.value); Path=/; Secure; HttpOnly; SameSite=None; Max-Age=600"
        #expect(header.utf8.count < 200)
    }
}

@Suite struct WebTicketTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    @Test("A ticket is valid in its own browser for ten minutes")
    func binding() throws {
        let tickets = WebTickets(keys: try MasterKeys("k1:" + Base64URL.encode(RandomBytes.system(32))))
        let session = UUID()
        let ticket = WebTickets.Ticket(client: "app", target: .init(), intent: .link(session: session), locales: "ja")
        let text = tickets.seal(ticket, for: "browser", at: now)
        #expect(tickets.open(text, for: "browser", at: now) == ticket)
        #expect(tickets.open(text, for: "another", at: now) == nil)
        #expect(tickets.open(text, for: nil, at: now) == nil)
        #expect(tickets.open(text, for: "browser", at: now.addingTimeInterval(600)) == nil)
        #expect(tickets.open(text + "A", for: "browser", at: now) == nil)
    }
}
