import Cryptography
import Foundation
import JSON
import Postgres
import Testing

/// Modelled on the modules of the OpenID Foundation's basic test plan; each test has a module's name.
@Suite("OpenID Connect, basic", .gateway()) struct OpenIDTests {
    private static let relaxed: JSONObject = ["pkce_optional": true]
    private static let withoutKey: [String: String?] = ["code_challenge": nil, "code_challenge_method": nil]

    @Test("oidcc-server: state, issuer, ID token, key set and UserInfo agree")
    func server() async throws {
        let party = try await RelyingParty.register(Self.relaxed)
        let visitor = try await Visitor.arrive()
        let browser = try await visitor.signIn(party.request(Self.withoutKey))
        #expect(browser.departureQuery["state"] == "st")
        let metadata = try await party.gateway.get("/.well-known/openid-configuration").json
        #expect(browser.departureQuery["iss"] == metadata["issuer"]?.string)
        let tokens = try await party.tokens(browser, ["code_verifier": nil])
        #expect(tokens.claims["iss"] == metadata["issuer"] && tokens.claims["aud"]?.string == party.id)
        #expect(
            tokens.claims["nonce"] == "n-0S6_WzA2Mj" && tokens.claims["acr"] == "1" && tokens.claims["amr"] == ["pwd"])
        let info = try await party.userInfo(tokens.access)
        #expect(info.status == 200 && info.json["sub"] == tokens.claims["sub"], "\(info.text)")
    }

    @Test("oidcc-response-type-missing")
    func responseTypeMissing() async throws {
        let party = try await RelyingParty.register()
        let answer = try await party.gateway.get(party.request(["response_type": nil]))
        #expect(answer.status == 303 && answer.header("Location")?.contains("error=invalid_request&") == true)
    }

    @Test(
        "an answer with a token in the address is refused, with its fault at the app",
        arguments: ["token", "id_token", "code id_token"])
    func tokenInAddress(type: String) async throws {
        let party = try await RelyingParty.register()
        let answer = try await party.gateway.get(party.request(["response_type": type]))
        #expect(answer.status == 303, "\(answer.text)")
        #expect(answer.header("Location")?.contains("error=unsupported_response_type&") == true)
    }

    @Test("oidcc-idtoken-signature: RS256 without asking, with a key id; ES256 for a client that registered it")
    func signature() async throws {
        for (settings, algorithm): (JSONObject, String) in [([:], "RS256"), (["id_token_algorithm": "ES256"], "ES256")]
        {
            let party = try await RelyingParty.register(settings)
            let browser = try await Visitor.arrive().signIn(party.request())
            let jwt = try JWT(parsing: try await party.tokens(browser).idToken)
            #expect(jwt.algorithmName == algorithm && jwt.keyID != nil)
        }
    }

    @Test(
        "oidcc-userinfo-rs256: a client that wants UserInfo signed gets a JWT for itself",
        arguments: ["RS256", "ES256"])
    func signedUserInfo(algorithm: String) async throws {
        let party = try await RelyingParty.register(["userinfo_signed_response_alg": .string(algorithm)])
        let tokens = try await party.tokens(try await Visitor.arrive().signIn(party.request()))
        let answer = try await party.userInfo(tokens.access)
        #expect(answer.status == 200 && answer.header("Content-Type") == "application/jwt", "\(answer.text)")
        let jwt = try JWT(parsing: answer.text)
        let keys = try JWKSet(
            parsing: try await party.gateway.get("/.well-known/jwks.json").body, accepting: [.ES256, .RS256])
        let (id, name) = (try #require(jwt.keyID), try #require(SignatureAlgorithm(rawValue: algorithm)))
        #expect(jwt.isSigned(by: try #require(keys.key(id: id, algorithm: name)).key, name))
        #expect(jwt.claims["sub"] == tokens.claims["sub"] && jwt.claims["iss"] == tokens.claims["iss"])
        #expect(jwt.claims["aud"]?.string == party.id)
        // It opens nothing.
        #expect(try await party.userInfo(answer.text).status == 401)
    }

    @Test("oidcc-userinfo-get, -post-header, -post-body: JSON with the subject of the ID token")
    func userInfo() async throws {
        let party = try await RelyingParty.register()
        let tokens = try await party.tokens(try await Visitor.arrive().signIn(party.request()))
        let inBody = try await party.gateway.send(
            TestRequest("POST", "/userinfo").form([("access_token", tokens.access)]))
        for answer in [
            try await party.userInfo(tokens.access), try await party.userInfo(tokens.access, method: "POST"), inBody,
        ] {
            #expect(answer.status == 200 && answer.json["sub"] == tokens.claims["sub"], "\(answer.text)")
            #expect(answer.header("Content-Type") == "application/json")
        }
    }

    @Test("oidcc-ensure-request-without-nonce-succeeds-for-code-flow")
    func withoutNonce() async throws {
        let party = try await RelyingParty.register()
        let browser = try await Visitor.arrive().signIn(party.request(["nonce": nil]))
        #expect(try await party.tokens(browser).claims["nonce"] == nil)
    }

    @Test("oidcc-scope-profile, -email, -address, -phone, -all: UserInfo has every claim that the account has")
    func scopes() async throws {
        let party = try await RelyingParty.register()
        try await party.gateway.change(
            """
            update clients set attributes = '[{"name": "given_name", "kind": "text", "required": false},
                                              {"name": "birthdate", "kind": "text", "required": false},
                                              {"name": "address", "kind": "text", "required": false}]' where id = \(party.id)
            """)
        try await party.gateway.addClient("after-scopes-\(party.id)", secret: nil)
        let visitor = try await Visitor.arrive()
        let browser = try await visitor.signIn(party.request(["scope": "openid profile email address phone"]))
        let tokens = try await party.tokens(browser)
        let account = try #require(tokens.claims["sub"]?.string)
        try await party.gateway.change(
            """
            update accounts set display_name = 'Ann', attributes = attributes || jsonb_build_object(
                       \(party.id) || '/given_name', 'Ann', \(party.id) || '/birthdate', '0000-05-01',
                       \(party.id) || '/address', '1 Weir Lane')
             where id = \(account)::uuid
            """)
        let info = try await party.userInfo(tokens.access).json
        #expect(info["name"] == "Ann" && info["email"]?.string == visitor.email && info["email_verified"] == true)
        #expect(info["given_name"] == "Ann" && info["birthdate"] == "0000-05-01")
        #expect(info["address"] == ["formatted": "1 Weir Lane"] && info["phone_number"] == nil)
    }

    @Test("oidcc-alternate-happy-flow: the order of scopes and parameters has no meaning")
    func alternateOrder() async throws {
        let party = try await RelyingParty.register()
        let query = party.parameters(["scope": "email openid"]).reversed().map { "\($0.0)=\($0.1.urlEncoded)" }
        let browser = try await Visitor.arrive().signIn("/authorize?" + query.joined(separator: "&"))
        #expect(try await party.tokens(browser).json["scope"] == "openid email")
    }

    @Test(
        "oidcc-display-page, -display-popup, -login-hint, -ui-locales, -claims-locales, -ensure-request-with-unknown-parameter-succeeds"
    )
    func harmless() async throws {
        let party = try await RelyingParty.register()
        for (name, value) in [
            ("display", "page"), ("display", "popup"), ("login_hint", "ann@example.com"), ("ui_locales", "se"),
            ("claims_locales", "se"), ("extra", "foobar"),
        ] {
            let browser = try await PageBrowser.open(party.gateway, party.request([name: value]))
            #expect(browser.page.status == 200 && browser.page.text.contains("name=\"username\""), "\(name)")
        }
    }

    @Test("oidcc-prompt-login: the page is shown again, and the second auth_time is later")
    func promptLogin() async throws {
        let party = try await RelyingParty.register()
        let visitor = try await Visitor.arrive()
        let first = try await party.tokens(try await visitor.signIn(party.request()))
        try await party.gateway.ageProofs(try #require(first.claims["sub"]?.string))
        try await visitor.browser.visit(party.request(["prompt": "login"]))
        #expect(visitor.browser.page.text.contains("name=\"username\""))
        try await visitor.browser.passwordSignIn(visitor.email)
        let second = try await party.tokens(visitor.browser)
        let time = try #require(second.claims["auth_time"]?.integer)
        #expect(time > (first.claims["auth_time"]?.integer ?? 0) - 3_000)
        #expect(second.claims["sub"] == first.claims["sub"])
    }

    @Test("oidcc-prompt-none-not-logged-in: an error with the state, and nothing else")
    func silentWithout() async throws {
        let party = try await RelyingParty.register()
        let state = String(repeating: "s", count: 128)
        let answer = try await party.gateway.get(party.request(["prompt": "none", "state": state]))
        let items = URLComponents(string: answer.header("Location") ?? "")?.queryItems ?? []
        #expect(Set(items.map(\.name)) == ["error", "error_description", "iss", "state"])
        #expect(
            items.contains(.init(name: "error", value: "login_required"))
                && items.contains(.init(name: "state", value: state)))
    }

    @Test("oidcc-prompt-none-logged-in, oidcc-id-token-hint: no page, the same user and auth_time")
    func silentWith() async throws {
        let party = try await RelyingParty.register()
        let visitor = try await Visitor.arrive()
        let first = try await party.tokens(try await visitor.signIn(party.request()))
        for changes: [String: String?] in [["prompt": "none"], ["prompt": "none", "id_token_hint": first.idToken]] {
            try await visitor.browser.visit(party.request(changes))
            let second = try await party.tokens(visitor.browser)
            for name in ["sub", "auth_time", "amr"] { #expect(second.claims[name] == first.claims[name]) }
            #expect(second.claims["sid"] != first.claims["sid"])
        }
    }

    @Test("oidcc-max-age-1: a page, and a recent auth_time; oidcc-max-age-10000: none, and the same")
    func maximumAge() async throws {
        let party = try await RelyingParty.register()
        let visitor = try await Visitor.arrive()
        let first = try await party.tokens(try await visitor.signIn(party.request(["max_age": "15000"])))
        try await visitor.browser.visit(party.request(["max_age": "10000"]))
        #expect(try await party.tokens(visitor.browser).claims["auth_time"] == first.claims["auth_time"])
        let aged = try await party.gateway.ageProofs(try #require(first.claims["sub"]?.string))
        try await visitor.browser.visit(party.request(["max_age": "1"]))
        #expect(visitor.browser.page.status == 200)
        try await visitor.browser.passwordSignIn(visitor.email)
        let later = try await party.tokens(visitor.browser)
        let time = try #require(later.claims["auth_time"]?.integer)
        #expect(time > aged)
    }

    @Test("oidcc-ensure-request-with-acr-values-succeeds: one of the listed levels")
    func levels() async throws {
        let party = try await RelyingParty.register()
        let listed = try await party.gateway.get("/.well-known/openid-configuration").json["acr_values_supported"]
        let all = (listed?.array ?? []).compactMap(\.string)
        let browser = try await Visitor.arrive().signIn(party.request(["acr_values": all.joined(separator: " ")]))
        #expect(all.contains(try await party.tokens(browser).claims["acr"]?.string ?? ""))
    }

    @Test("oidcc-codereuse, -30seconds: the second use is refused, and ends the tokens of the first")
    func codeReuse() async throws {
        let party = try await RelyingParty.register()
        let browser = try await Visitor.arrive().signIn(party.request())
        let tokens = try await party.tokens(browser)
        let again = try await party.redeem(browser.departureQuery["code"] ?? "")
        #expect(again.status == 400 && again.json["error"] == "invalid_grant")
        let info = try await party.userInfo(tokens.access)
        #expect(info.status == 401 && info.header("WWW-Authenticate")?.contains("error=\"invalid_token\"") == true)
    }

    /// What a page leads to, loads or posts: development shows a refused address, as text alone.
    func targets(of answer: TestAnswer) throws -> [String] {
        try HTMLDocument(answer.body).elements.flatMap { Array($0.attributes.values) }
    }

    @Test("oidcc-ensure-registered-redirect-uri: our page, and neither address is called")
    func registeredAddress() async throws {
        let party = try await RelyingParty.register()
        for uri in [RelyingParty.address + "/more", RelyingParty.address + "?a=b", "https://evil.example/cb"] {
            let answer = try await party.gateway.get(party.request(["redirect_uri": uri]))
            #expect(answer.status == 400 && answer.header("Location") == nil)
            #expect(try targets(of: answer).allSatisfy { !$0.contains("evil.example") && !$0.contains("rp.example") })
        }
    }

    @Test("oidcc-ensure-post-request-succeeds")
    func postedRequest() async throws {
        let party = try await RelyingParty.register()
        let visitor = try await Visitor.arrive()
        try await visitor.browser.post("/authorize", party.parameters())
        try await visitor.browser.passwordSignIn(visitor.email)
        _ = try await party.tokens(visitor.browser)
        let wrong = try await visitor.browser.post("/authorize", party.parameters(["response_type": "token"]))
        #expect(wrong.header("Location")?.contains("error=unsupported_response_type") == true)
    }

    @Test("oidcc-server-client-secret-post; the wrong secret, two ways at once and none are refused")
    func secretInForm() async throws {
        let party = try await RelyingParty.register()
        let browser = try await Visitor.arrive().signIn(party.request())
        let code = try #require(browser.departureQuery["code"])
        let form = [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", RelyingParty.address),
            ("client_id", party.id), ("code_verifier", RelyingParty.verifier),
        ]
        for secret in ["wrong", ""] {
            let refused = try await party.gateway.form("/v1/token", form + [("client_secret", secret)], secret: nil)
            #expect(refused.status == 401 && refused.json["error"] == "invalid_client")
        }
        let secret = try #require(party.secret)
        let both = try await party.gateway.form(
            "/v1/token", form + [("client_secret", secret)], client: party.id, secret: secret)
        #expect(both.status == 400 && both.json["error"] == "invalid_request")
        let redeemed = try await party.gateway.form("/v1/token", form + [("client_secret", secret)], secret: nil)
        #expect(redeemed.status == 200, "\(redeemed.text)")
    }

    @Test(
        "oidcc-request-uri-unsigned, -unsigned-request-object, -ensure-request-object-with-redirect-uri: refused, not ignored"
    )
    func requestObjects() async throws {
        let party = try await RelyingParty.register()
        for (name, error) in [("request_uri", "request_uri_not_supported"), ("request", "request_not_supported")] {
            let answer = try await party.gateway.get(party.request([name: "https://rp.example/request.jwt"]))
            #expect(answer.header("Location")?.contains("error=\(error)&") == true)
        }
        // ensure-request-object-with-redirect-uri: the bad address outside decides.
        let bad = try await party.gateway.get(
            party.request(["request": "x.y.z", "redirect_uri": "https://evil.example/"]))
        #expect(bad.status == 400 && bad.header("Location") == nil)
    }

    @Test("oidcc-claims-essential: a claim for UserInfo is there, and not in the ID token")
    func essentialClaim() async throws {
        let party = try await RelyingParty.register()
        let claims = "{\"userinfo\": {\"email\": {\"essential\": true}, \"nonsense\": {\"essential\": true}}}"
        let visitor = try await Visitor.arrive()
        let tokens = try await party.tokens(try await visitor.signIn(party.request(["claims": claims])))
        #expect(tokens.claims["email"] == nil)
        #expect(try await party.userInfo(tokens.access).json["email"]?.string == visitor.email)
    }

    @Test("oidcc-refresh-token: the refreshed ID token keeps its facts; another client's token is refused")
    func refreshToken() async throws {
        let (party, other) = (try await RelyingParty.register(), try await RelyingParty.register())
        let browser = try await Visitor.arrive().signIn(party.request(["scope": "openid offline_access"]))
        let first = try await party.tokens(browser)
        let form = [("grant_type", "refresh_token"), ("refresh_token", first.refresh)]
        let foreign = try await party.gateway.form("/v1/token", form, client: other.id, secret: other.secret)
        #expect(foreign.status == 400 && foreign.json["error"] == "invalid_grant")
        let answer = try await party.gateway.form("/v1/token", form, client: party.id, secret: party.secret)
        let claims = try await party.gateway.idClaims(answer.json)
        for name in ["iss", "sub", "aud", "auth_time", "azp"] { #expect(claims[name] == first.claims[name]) }
        #expect(claims["nonce"] == nil && answer.json["refresh_token"] != first.json["refresh_token"])
        #expect(first.refresh.utf8.allSatisfy { (0x20...0x7E).contains($0) } && first.refresh.utf8.count > 64)
    }

    @Test("A client that wants refresh tokens with offline_access only gets none without it")
    func offlineOnly() async throws {
        let party = try await RelyingParty.register(["refresh_tokens": "offline_access"])
        let visitor = try await Visitor.arrive()
        #expect(try await party.tokens(try await visitor.signIn(party.request())).json["refresh_token"] == nil)
        try await visitor.browser.visit(party.request(["scope": "openid offline_access"]))
        #expect(try await party.tokens(visitor.browser).json["refresh_token"] != nil)
    }

    @Test("oidcc-ensure-request-with-valid-pkce-succeeds; without, with a wrong or an unasked verifier: refused")
    func proofKeys() async throws {
        let party = try await RelyingParty.register(Self.relaxed)
        let visitor = try await Visitor.arrive()
        _ = try await party.tokens(try await visitor.signIn(party.request()))
        let other = String(RelyingParty.verifier.reversed())
        for (asked, verifier): ([String: String?], String?) in [
            ([:], nil), ([:], other), (Self.withoutKey, RelyingParty.verifier),
        ] {
            try await visitor.browser.visit(party.request(asked))
            let code = try #require(visitor.browser.departureQuery["code"])
            let refused = try await party.redeem(code, ["code_verifier": verifier])
            #expect(refused.status == 400 && refused.json["error"] == "invalid_grant", "\(refused.text)")
        }
    }
}

extension GatewayProcess {
    /// Makes the proofs of an account's sessions an hour older; returns the new `auth_time`.
    @discardableResult
    func ageProofs(_ account: String) async throws -> Int {
        try await sql { connection in
            let row = try connection.queryOne(
                """
                with aged as (
                    update sessions set auth_time = auth_time - interval '1 hour', created_at = created_at - interval '1 hour'
                     where account_id = \(account)::uuid returning auth_time)
                select extract(epoch from max(auth_time))::bigint, pg_notify('gateway_sessions', 'account:' || \(account)) from aged
                """)
            return try row?.value(0) ?? 0
        }
    }
}

extension String {
    fileprivate var urlEncoded: String { addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "" }
}
