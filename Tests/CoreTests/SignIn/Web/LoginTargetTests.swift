import Testing

@testable import Clients
@testable import Sessions
@testable import SignIn
@testable import Vocabulary

@Suite struct LoginTargetTests {
    private static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

    private static let client = Client(
        id: "app", name: "App", secret: nil, origins: ["https://shop.example", "http://localhost:3000"],
        redirectURIs: [
            "https://shop.example/back", "https://other.example/back", "http://localhost:3000/back",
            "http://127.0.0.1/back", "org.example.app:/back", "https://login.example/own",
        ], providers: [], linkingPolicy: LinkingPolicy(bothVerified: .link), accessTokenLife: 600, refreshIdle: 600,
        refreshMaximum: 600)

    private func target(_ asked: LoginTarget.Asked) throws(Rejection) -> LoginTarget {
        try LoginTarget(asked, client: Self.client, ownOrigin: "https://login.example")
    }

    @Test("Without a redirect address the session is a cookie for our own account page")
    func ownPage() throws {
        let target = try target(.init(state: "kept by nobody"))
        #expect(target.redirectURI == nil)
        #expect(target.state == nil)
        #expect(target.handing == .cookie && target.appSession(of: Self.client) == nil)
    }

    @Test(
        "A website of a registered origin gets a cookie",
        arguments: ["https://shop.example/back", "http://localhost:3000/back", "https://login.example/own"])
    func cookies(_ uri: String) throws {
        #expect(try target(.init(redirectURI: uri)).handing == .cookie)
    }

    @Test("For development, a website on any port of this machine gets a cookie at its registered path")
    func localCookies() throws {
        let client = Client(
            id: "app", name: "App", secret: nil, origins: [], redirectURIs: ["http://localhost:3000/back"],
            providers: [], linkingPolicy: LinkingPolicy(bothVerified: .link), accessTokenLife: 600, refreshIdle: 600,
            refreshMaximum: 600, takesLocalOrigins: true)
        let asked = LoginTarget.Asked(redirectURI: "http://localhost:5173/back")
        let target = try LoginTarget(asked, client: client, ownOrigin: "https://login.example")
        #expect(target.handing == .cookie)
    }

    @Test(
        "W-06 an app's address, or a website's of another origin, needs a challenge",
        arguments: ["org.example.app:/back", "http://127.0.0.1:4711/back", "https://other.example/back"])
    func challenges(_ uri: String) throws {
        #expect(throws: Rejection.codeChallengeRequired) { try target(.init(redirectURI: uri)) }
        let bound = try target(.init(redirectURI: uri, challenge: Self.challenge))
        let app = bound.appSession(of: Self.client)
        #expect(bound.handing == .browser)
        #expect(app?.binding == CodeBinding(redirectURI: uri, challenge: Self.challenge))
    }

    @Test(
        "W-05 an address that isn't registered exactly is refused",
        arguments: [
            "//evil", "/\\evil", "https:evil", "https://ok@evil", "https://shop.example.evil/back",
            "%2f%2fevil", "https://shop.example/back#x", "https://shop.example/ba\tck", "https://shop.example/back\n",
            "https://shop.example/back/", "https://shop.example/back?x=1", "https://shop.example/Back",
            "https://shop.example:443/back", "https://shop.example/x/../back", "https://shop.example/%62ack",
            "https://evil.example/back", "javascript:alert(1)", "org.example.app:/other", "org.example.app2:/back",
            "http://shop.example/back", "https://shop.example\\@evil.example/back", "https://shop.example/back%00",
        ])
    func unregistered(_ uri: String) {
        let refusal = Rejection.redirectNotAllowed(SentText(uri), registered: Self.client.redirectURIs.map(\.text))
        for challenge in [nil, Self.challenge] {
            #expect(throws: refusal) {
                try target(.init(redirectURI: uri, challenge: challenge))
            }
        }
    }

    @Test(
        "A challenge is 43 characters of base64url and S256",
        arguments: [
            "", "short", Self.challenge + "A", String(Self.challenge.dropLast()) + "=",
            "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw+cM",
        ])
    func malformedChallenge(_ challenge: String) {
        #expect(throws: Rejection.invalidField(.codeChallenge, .malformed)) {
            try target(.init(redirectURI: "org.example.app:/back", challenge: challenge))
        }
    }

    @Test("The plain method is refused", arguments: ["plain", "s256", ""])
    func method(_ method: String) {
        #expect(throws: Rejection.invalidField(.codeChallengeMethod, .mustBeS256)) {
            try target(
                .init(redirectURI: "org.example.app:/back", challenge: Self.challenge, challengeMethod: method))
        }
    }

    @Test(
        "A state is visible ASCII of at most 1,024 bytes",
        arguments: ["a\u{0}", "a\r\nSet-Cookie: x", "ü", String(repeating: "a", count: 1_025)])
    func state(_ state: String) throws {
        #expect(throws: Rejection.invalidField(.state, .malformed)) {
            try target(.init(redirectURI: "https://shop.example/back", state: state))
        }
        let longest = String(repeating: "a", count: 1_024)
        #expect(try target(.init(redirectURI: "https://shop.example/back", state: longest)).state == longest)
    }

    @Test("The parameters of an ID token count with a challenge, and travel on as checked")
    func tokens() throws {
        let uri = "org.example.app:/back"
        let target = try target(
            .init(redirectURI: uri, challenge: Self.challenge, scope: "email x openid", nonce: "n-1"))
        #expect(target.tokens.scopes == [.openid, .email] && target.tokens.nonce == "n-1")
        #expect(target.asked.scope == "openid email" && target.asked.nonce == "n-1")
        #expect(try self.target(target.asked) == target)
        let cookie = try self.target(.init(redirectURI: "https://shop.example/back", scope: "openid", nonce: "n-1"))
        #expect(cookie.tokens == .gateway)
        #expect(throws: Rejection.invalidField(.nonce, .malformed)) {
            try self.target(.init(redirectURI: uri, challenge: Self.challenge, scope: "openid", nonce: "é"))
        }
    }

    @Test("State, nonce and scopes together have at most 1,024 bytes")
    func together() throws {
        func asked(_ length: Int) -> LoginTarget.Asked {
            .init(
                redirectURI: "org.example.app:/back", state: String(repeating: "s", count: length - 512 - 6),
                challenge: Self.challenge, scope: "openid", nonce: String(repeating: "n", count: 512))
        }
        #expect(try target(asked(1_024)).state?.utf8.count == 506)
        #expect(throws: Rejection.invalidField(.state, .tooLong)) { try target(asked(1_025)) }
    }

    @Test("A state that is too long may return with the refusal, unless an address cannot hold it")
    func echo() {
        #expect(LoginTarget.canEcho(String(repeating: "a", count: 4_096)))
        for state in [String(repeating: "a", count: 4_097), "a\r\nb", "a\u{7F}", "ü"] {
            #expect(!LoginTarget.canEcho(state))
        }
    }

    @Test("W-05 only console pages and stored requests are an own target, and none together with an app's address")
    func returnPaths() throws {
        let target = try target(.init(returnTo: "/admin?q=ann"))
        #expect(target.handing == .cookie)
        #expect(try self.target(.init(returnTo: "/authorize?r=au_A")).handing == .browser)
        #expect(target.asked.returnTo == "/admin?q=ann")
        for path in ["//evil.example", "/\\evil.example", "/account", "https://login.example/admin"] {
            #expect(throws: Rejection.redirectNotAllowed(SentText(path))) { try self.target(.init(returnTo: path)) }
        }
        #expect(throws: Rejection.redirectNotAllowed(SentText("/admin"))) {
            try self.target(.init(redirectURI: "https://shop.example/back", returnTo: "/admin"))
        }
    }
}
