import Cryptography
import FoundationEssentials
import JSON
import Outbound
import Providers
import TestSupport
import Testing

@Suite("Login with Amazon")
struct AmazonProviderTests {
    private static let client = "amzn1.application-oa2-client.example"
    private static let good: JSONObject = [
        "iss": "https://www.amazon.com", "user_id": "amzn1.account.ANN", "aud": .string(client),
        "app_id": "amzn1.application.example", "exp": 3_000, "iat": .integer(TestClock.seconds - 60),
    ]
    private static let profile: JSONObject = [
        "user_id": "amzn1.account.ANN", "name": "Ann Lee", "email": "ann@example.com", "postal_code": "10115",
    ]

    /// Amazon as documented: the token travels in headers only.
    private struct Amazon {
        let far = FarSide()
        let host: String
        let health = ProviderHealth(provider: .amazon)
        let provider: AmazonProvider

        init(host: String = "https://api.amazon.com", adjust: (inout AmazonProvider.Configuration) -> Void = { _ in })
            throws
        {
            var configuration = AmazonProvider.Configuration(clientIDs: [client], accountName: "Example Inc")
            configuration.applicationID = "amzn1.application.example"
            configuration.clientSecret = Secret("amazon-secret")
            adjust(&configuration)
            provider = try AmazonProvider(configuration, upstream: Upstream(transport: far, health: health))
            self.host = host
            tokenInfo(.success(.json(JSON.object(good).text)))
            profile(.success(.json(JSON.object(AmazonProviderTests.profile).text)))
        }

        func tokenInfo(_ answer: Result<HTTPResponse, TransferError>) {
            let headers = ["accept": "application/json", "x-amz-access-token": "Atza|abc+/="]
            far[host + "/auth/o2/tokeninfo"] = .init(headers: headers) { _ in answer }
        }

        func profile(_ answer: Result<HTTPResponse, TransferError>) {
            let headers = ["accept": "application/json", "authorization": "Bearer Atza|abc+/="]
            far[host + "/user/profile"] = .init(headers: headers) { _ in answer }
        }

        func signIn(_ credential: JSONObject = ["access_token": "Atza|abc+/="]) async -> Result<
            ExternalIdentity, ProviderError
        > {
            do {
                return .success(try await provider.verify(credential, at: TestClock.now))
            } catch {
                return .failure(error)
            }
        }
    }

    @Test("the postal code is taken only with its scope", arguments: [true, false])
    func postalCode(isAsked: Bool) async throws {
        let amazon = try Amazon { if isAsked { $0.scopes = [.profile, .postalCode] } }
        #expect(try await amazon.signIn().get().attributes == (isAsked ? ["postal_code": "10115"] : [:]))
    }

    @Test("a sign-in in a browser asks for the configured scopes")
    func scopes() throws {
        let start = RedirectStart(
            redirectURI: "https://login.example.com/login/amazon/callback", state: "s", nonce: "n", codeVerifier: "v")
        let amazon = try Amazon { $0.scopes = [.userID, .postalCode] }
        let url = try amazon.provider.authorizationURL(start)
        #expect(url.contains("scope=profile%3Auser_id%20postal_code"), "\(url)")
    }

    @Test("a valid token identifies the user; its address is never verified")
    func good() async throws {
        let amazon = try Amazon()
        let identity = try await amazon.signIn().get()
        #expect(identity.provider == .amazon)
        #expect(identity.realm == "Example Inc")
        #expect(identity.subject == "amzn1.account.ANN")
        #expect(identity.displayName == "Ann Lee")
        #expect(identity.email == ExternalEmail(address: "ann@example.com", authority: .unverified))
        #expect(identity.replayDigest == SHA256.hash("Atza|abc+/="))
        #expect(identity.replayEnd == .counted(TestClock.now.addingTimeInterval(3_000)))
        #expect(amazon.far.calls.map(\.url).map { $0.hasSuffix("profile") } == [false, true])
    }

    @Test(
        "any other text is a malformed request and causes no provider request",
        arguments: [
            (.null, "token_missing"), ("", "token_missing"), (7, "wrong_type"), ([], "wrong_type"),
            (.string("Atza|" + String(repeating: "a", count: 2_044)), "token_too_large"),
            ("Atza|a b", "token_malformed"), ("Atza|a\r\nX: y", "token_malformed"), ("Atza|\u{e9}", "token_malformed"),
            ("Atza|a\u{0}", "token_malformed"), ("Atzr|abc", "token_kind"), ("Atza%7Cabc", "token_kind"),
            ("Atc|abc", "token_kind"), ("a.b.c", "token_kind"), ("atza|abc", "token_kind"), ("Atza|", "token_kind"),
        ] as [(JSON, String)])
    func shape(row: (value: JSON, reason: String)) async throws {
        let amazon = try Amazon()
        #expect(
            await amazon.signIn(["access_token": row.value])
                == .failure(.invalidRequest(member: "access_token", reason: row.reason)))
        #expect(amazon.far.calls.isEmpty)
        let wasRefreshToken = row.value == "Atzr|abc"
        #expect((amazon.health.snapshot.signals[.refreshTokenPosted] == 1) == wasRefreshToken)
    }

    @Test(
        "a token that Amazon rejects is refused",
        arguments: [
            (
                400,
                #"{"error":"invalid_token","error_description":"The request has an invalid parameter : access_token"}"#
            ),
            (400, #"{"error":"invalid_request"}"#), (401, #"{"error":"invalid_token"}"#), (401, "{}"), (400, "x"),
        ])
    func upstreamRefusal(row: (status: Int, body: String)) async throws {
        let amazon = try Amazon()
        amazon.tokenInfo(.success(.json(row.body, status: row.status)))
        #expect(await amazon.signIn() == .failure(.refused(.upstreamInvalidToken)))
        #expect(amazon.far.calls.count == 1)
    }

    @Test(
        "J-24: another app's token is refused before the profile request",
        arguments: [
            "amzn1.application-oa2-client.other", .null, [.string(client)], "amzn1.application-oa2-client.exampl",
            "AMZN1.application-oa2-client.example", "amzn1.application-oa2-client.example ", 7, "",
        ] as [JSON])
    func audience(value: JSON) async throws {
        let amazon = try Amazon()
        amazon.tokenInfo(.success(.json(JSON.object(TokenMint.merged(Self.good, ["aud": value])).text)))
        #expect(await amazon.signIn() == .failure(.refused(.audienceMismatch)))
        #expect(amazon.far.calls.count == 1)
        #expect(amazon.health.snapshot.signals[.audienceMismatch] == 1)
    }

    @Test(
        "with a secret, the first of several clients is a website, and its posted tokens are refused",
        arguments: [
            ("web", ["web", "ios", "android"], true, "audience_flow_mismatch"),
            ("ios", ["web", "ios", "android"], true, "ok"), ("android", ["web", "ios", "android"], true, "ok"),
            ("other", ["web", "ios"], true, "audience_mismatch"), ("web", ["web", "ios"], false, "ok"),
            ("web", ["web"], true, "ok"),
        ])
    func website(row: (audience: String, ids: [String], hasSecret: Bool, word: String)) async throws {
        let amazon = try Amazon {
            $0.clientIDs = row.ids
            if !row.hasSecret { $0.clientSecret = nil }
        }
        let info = TokenMint.merged(Self.good, ["aud": .string(row.audience)])
        amazon.tokenInfo(.success(.json(JSON.object(info).text)))
        #expect(await amazon.signIn().word == row.word)
        #expect(amazon.far.calls.count == (row.word == "ok" ? 2 : 1))
    }

    @Test("only a plausible access token or a code causes a request to Amazon")
    func asking() throws {
        let provider = try Amazon().provider
        for asked: JSONObject in [["access_token": "Atza|abc"], ["authorization_code": "c"]] {
            #expect(provider.asksProvider(about: asked))
        }
        for own: JSONObject in [[:], ["access_token": "Atzr|abc"], ["access_token": 7], ["authorization_code": .null]] {
            #expect(!provider.asksProvider(about: own))
        }
        #expect(!provider.bindsNonces)
    }

    @Test(
        "invalid token info is refused",
        arguments: [
            ("app_id", "amzn1.application.other", "app_mismatch"), ("app_id", .null, "app_mismatch"),
            ("iss", .null, "issuer_not_allowed"), ("iss", "https://www.amazon.co.uk", "issuer_not_allowed"),
            ("iss", "https://www.amazon.com/", "issuer_not_allowed"), ("exp", 0, "expired"), ("exp", -1, "expired"),
            ("exp", "3000", "claim_type"), ("exp", 1_000_000_000, "claim_type"), ("exp", .null, "claim_type"),
            ("exp", 3_661, "claim_type"), ("exp", .double(1e300), "claim_type"),
            ("iat", .integer(TestClock.seconds + 61), "issued_at_invalid"), ("iat", .null, "issued_at_invalid"),
            ("iat", "1799999990", "issued_at_invalid"), ("iat", .integer(TestClock.seconds - 601), "too_old"),
            ("user_id", .null, "unavailable"), ("user_id", "", "unavailable"), ("user_id", 7, "unavailable"),
            ("user_id", .string(String(repeating: "u", count: 256)), "unavailable"),
            ("user_id", "a\u{0}b", "unavailable"), ("user_id", "ä", "unavailable"), ("user_id", ["a"], "unavailable"),
            ("user_id", "undefined", "subject_invalid"), ("user_id", "null", "subject_invalid"),
        ] as [(String, JSON, String)])
    func tokenInfo(row: (member: String, value: JSON, word: String)) async throws {
        let amazon = try Amazon()
        let info = TokenMint.merged(Self.good, JSONObject([.init(name: row.member, value: row.value)]))
        amazon.tokenInfo(.success(.json(JSON.object(info).text)))
        #expect(await amazon.signIn().word == row.word)
        #expect(amazon.far.calls.count == 1)
    }

    @Test("exp counts remaining seconds, and iat has a minute of tolerance")
    func edges() async throws {
        for change: JSONObject in [["exp": 1], ["exp": 3_660], ["iat": .integer(TestClock.seconds + 59)]] {
            let amazon = try Amazon()
            amazon.tokenInfo(.success(.json(JSON.object(TokenMint.merged(Self.good, change)).text)))
            #expect(await amazon.signIn().word == "ok")
        }
    }

    @Test(
        "J-25: a failure at Amazon gives 503 and never a partial identity",
        arguments: ["tokeninfo", "profile"])
    func trouble(place: String) async throws {
        let nested = #"{"Profile":{"CustomerId":"amzn1.account.ANN","Name":"Ann"}}"#
        let twice = #"{"user_id":"amzn1.account.ANN","user_id":"amzn1.account.BOB"}"#
        let answers: [Result<HTTPResponse, TransferError>] = [
            .failure(.timedOut), .failure(.redirectRefused), .failure(.tlsFailed), .failure(.responseTooLarge),
            .failure(.circuitOpen(retryAfterSeconds: 9)), .success(.html), .success(.json("{}", status: 500)),
            .success(.json("{}", status: 503)), .success(.json("{}", status: 429)), .success(.json("[]")),
            .success(.json(#"{"error":"ServerError"}"#, status: 400)), .success(.json(twice)),
            .success(.json("{\"a\":\"" + String(repeating: "a", count: 17_000) + "\"}")),
            place == "profile" ? .success(.json(nested)) : .success(.json("")),
        ]
        for answer in answers {
            let amazon = try Amazon()
            place == "profile" ? amazon.profile(answer) : amazon.tokenInfo(answer)
            #expect(await amazon.signIn().word == "unavailable")
            #expect(amazon.far.calls.count == (place == "profile" ? 2 : 1))
        }
    }

    @Test("J-25: an open circuit and a Retry-After state the time of the next attempt")
    func retryAfter() async throws {
        let amazon = try Amazon()
        amazon.tokenInfo(.failure(.circuitOpen(retryAfterSeconds: 9)))
        #expect(await amazon.signIn() == .failure(.unavailable(reason: "circuit_open", retryAfter: 9)))
        amazon.tokenInfo(.success(.json("{}", status: 503, headers: [("Retry-After", "42")])))
        #expect(await amazon.signIn() == .failure(.unavailable(reason: "upstream_unavailable", retryAfter: 42)))
    }

    @Test("another user's profile is refused")
    func otherProfile() async throws {
        let amazon = try Amazon()
        amazon.profile(.success(.json(#"{"user_id":"amzn1.account.BOB","name":"Bob"}"#)))
        #expect(await amazon.signIn() == .failure(.refused(.subjectMismatch)))
        #expect(amazon.health.snapshot.signals[.subjectMismatch] == 1)
    }

    @Test(
        "without the profile scope, the user signs in without name and address",
        arguments: [400, 401, 403])
    func scope(status: Int) async throws {
        let amazon = try Amazon()
        amazon.profile(.success(.json(#"{"error":"insufficient_scope"}"#, status: status)))
        let identity = try await amazon.signIn().get()
        #expect(identity.email == nil && identity.displayName == nil)
    }

    @Test("a token revoked between the two requests is refused")
    func revoked() async throws {
        let amazon = try Amazon()
        amazon.profile(.success(.json(#"{"error":"invalid_token"}"#, status: 400)))
        #expect(await amazon.signIn() == .failure(.refused(.upstreamInvalidToken)))
    }

    @Test("address and name are optional, and invalid ones are omitted")
    func profileMembers() async throws {
        let long = String(repeating: "x", count: 10_000)
        let rows: [(JSONObject, String?, String?)] = [
            (["email": .null], nil, "Ann Lee"), (["email": "not one"], nil, "Ann Lee"), (["email": 7], nil, "Ann Lee"),
            (["email": .string(long + "@example.com")], nil, "Ann Lee"), (["name": .null], "ann@example.com", nil),
            (["name": "\u{202E}<b>Ann"], "ann@example.com", "bAnn"),
            (["name": .string(long)], "ann@example.com", String(repeating: "x", count: 200)),
            (["email_verified": true], "ann@example.com", "Ann Lee"),
        ]
        for (change, email, name) in rows {
            let amazon = try Amazon()
            amazon.profile(.success(.json(JSON.object(TokenMint.merged(Self.profile, change)).text)))
            let identity = try await amazon.signIn().get()
            #expect(identity.email?.address == email)
            #expect(identity.email?.authority != .verifiedByAuthority)
            #expect(identity.displayName == name)
        }
    }

    @Test("the client's values for user, region and host are refused")
    func clientClaims() async throws {
        let amazon = try Amazon()
        let wishes: JSONObject = [
            "user_id": "amzn1.account.BOB", "email": "bob@example.com", "region": "eu",
            "endpoint": "https://evil.example",
        ]
        for wish in wishes.members {
            var credential: JSONObject = ["access_token": "Atza|abc+/="]
            credential[wish.name] = wish.value
            #expect(await amazon.signIn(credential).word == "invalid:unknown_member")
        }
        #expect(try await amazon.signIn(["access_token": "Atza|abc+/="]).get().subject == "amzn1.account.ANN")
        #expect(amazon.far.calls.allSatisfy { $0.url.hasPrefix("https://api.amazon.com/") })
    }

    @Test(
        "the configuration sets the region",
        arguments: [
            (.northAmerica, "https://api.amazon.com"), (.europe, "https://api.amazon.co.uk"),
            (.farEast, "https://api.amazon.co.jp"),
        ] as [(AmazonProvider.Region, String)])
    func regions(row: (region: AmazonProvider.Region, host: String)) async throws {
        let amazon = try Amazon(host: row.host) { $0.region = row.region }
        #expect(await amazon.signIn().word == "ok")
    }

    private static let verifier = String(repeating: "v", count: 43)

    private func exchanging(
        _ answer: HTTPResponse, optional: Set<String> = ["code_verifier"],
        adjust: (inout AmazonProvider.Configuration) -> Void = { _ in }
    ) throws -> Amazon {
        let amazon = try Amazon(adjust: adjust)
        var fields: Set = ["grant_type", "code", "redirect_uri", "client_id", "client_secret"]
        var configuration = AmazonProvider.Configuration(clientIDs: [Self.client], accountName: "x")
        configuration.clientSecret = Secret("x")
        adjust(&configuration)
        if configuration.clientSecret == nil { fields.remove("client_secret") }
        amazon.far["https://api.amazon.com/auth/o2/token"] = .init(
            method: .post, fields: fields, optionalFields: optional, answer: { _ in .success(answer) })
        return amazon
    }

    private let tokens = HTTPResponse.json(
        #"{"access_token":"Atza|abc+/=","token_type":"bearer","expires_in":"3600","refresh_token":"Atzr|r"}"#)

    @Test("a code is exchanged, and its token passes the same checks")
    func code() async throws {
        let amazon = try exchanging(tokens)
        let credential: JSONObject = [
            "authorization_code": "ANcode", "code_verifier": .string(Self.verifier),
            "redirect_uri": "https://a.example/cb",
        ]
        let identity = try await amazon.signIn(credential).get()
        #expect(identity.subject == "amzn1.account.ANN")
        #expect(identity.replayDigest == SHA256.hash("ANcode"))
        #expect(identity.upstreamTokens.isEmpty)
        let form = try #require(amazon.far.calls.first?.form)
        #expect(form["client_id"] == Self.client && form["client_secret"] == "amazon-secret")
        #expect(form["code_verifier"] == Self.verifier && form["redirect_uri"] == "https://a.example/cb")
        amazon.tokenInfo(.success(.json(JSON.object(TokenMint.merged(Self.good, ["aud": "other"])).text)))
        #expect(await amazon.signIn(credential).word == "audience_mismatch")
    }

    @Test("another client's code is exchanged under its own id, without the first client's secret")
    func otherClient() async throws {
        let amazon = try exchanging(tokens) { $0.clientIDs = [Self.client, "amzn1.application-oa2-client.phone"] }
        amazon.far["https://api.amazon.com/auth/o2/token"] = .init(
            method: .post, fields: ["grant_type", "code", "redirect_uri", "client_id"],
            optionalFields: ["client_secret"], answer: { [tokens] _ in .success(tokens) })
        let credential: JSONObject = [
            "authorization_code": "ANcode", "redirect_uri": "amzn://com.example.app",
            "client_id": "amzn1.application-oa2-client.phone",
        ]
        // The token belongs to the first client, the website. Exchanged as another client's, it proves nothing about
        // this sign-in.
        #expect(await amazon.signIn(credential).word == "audience_flow_mismatch")
        let form = try #require(amazon.far.calls.first?.form)
        #expect(form["client_id"] == "amzn1.application-oa2-client.phone" && form["client_secret"] == nil)
        let info = TokenMint.merged(Self.good, ["aud": "amzn1.application-oa2-client.phone"])
        amazon.tokenInfo(.success(.json(JSON.object(info).text)))
        #expect(await amazon.signIn(credential).word == "ok")
        let first = TokenMint.merged(credential, ["client_id": .string(Self.client)])
        #expect(await amazon.signIn(first).word == "audience_mismatch")
        #expect(amazon.far.calls.last { $0.form["client_id"] != nil }?.form["client_secret"] == "amazon-secret")
    }

    @Test("a code of an unknown client is a malformed request", arguments: ["other", "", 7, []] as [JSON])
    func unknownClient(id: JSON) async throws {
        let amazon = try exchanging(tokens)
        let answer = await amazon.signIn(
            ["authorization_code": "ANcode", "redirect_uri": "https://a.example/cb", "client_id": id])
        #expect(answer.word.hasPrefix("invalid:"))
        #expect(amazon.far.calls.isEmpty)
    }

    @Test("the issuers come from the configuration; without one, no adapter is built")
    func issuers() async throws {
        let amazon = try Amazon { $0.issuers = ["https://www.amazon.com", "https://www.amazon.co.uk"] }
        for (issuer, word) in [("https://www.amazon.co.uk", "ok"), ("https://www.amazon.de", "issuer_not_allowed")] {
            amazon.tokenInfo(
                .success(.json(JSON.object(TokenMint.merged(Self.good, ["iss": .string(issuer)])).text)))
            #expect(await amazon.signIn().word == word)
        }
        #expect(throws: ProviderConfigurationProblem(setting: "AMAZON_ISSUERS", reason: "names no issuer")) {
            try Amazon { $0.issuers = [] }
        }
    }

    @Test("a public client sends no secret")
    func publicClient() async throws {
        let amazon = try exchanging(tokens) { $0.clientSecret = nil }
        let credential: JSONObject = ["authorization_code": "ANcode", "redirect_uri": "amzn://com.example.app"]
        #expect(await amazon.signIn(credential).word == "ok")
    }

    @Test(
        "Amazon's errors for a code",
        arguments: [
            (400, #"{"error":"invalid_grant"}"#, "code_invalid"),
            (401, #"{"error":"invalid_client"}"#, "misconfigured"),
            (400, #"{"error":"invalid_request"}"#, "misconfigured"),
            (400, #"{"error":"unauthorized_client"}"#, "misconfigured"), (500, "{}", "unavailable"),
            (200, #"{"token_type":"bearer","expires_in":3600}"#, "unavailable"),
            (200, #"{"access_token":"Atza|x","token_type":"mac","expires_in":3600}"#, "unavailable"),
            (200, #"{"access_token":"Atza|x","token_type":"bearer","expires_in":-5}"#, "unavailable"),
            (200, #"{"access_token":"Atzr|x","token_type":"bearer","expires_in":3600}"#, "unavailable"),
        ])
    func codeErrors(row: (status: Int, body: String, word: String)) async throws {
        let amazon = try exchanging(.json(row.body, status: row.status))
        let answer = await amazon.signIn(["authorization_code": "ANcode", "redirect_uri": "https://a.example/cb"])
        #expect(answer.word == row.word)
        #expect(amazon.far.calls.count == 1)
    }

    @Test(
        "a code without its parameters is a malformed request",
        arguments: [
            ["authorization_code": "c"], ["authorization_code": "c", "redirect_uri": 7],
            ["authorization_code": "c", "redirect_uri": "u", "code_verifier": "short"],
            ["authorization_code": "c", "redirect_uri": "u", "access_token": "Atza|abc"], ["authorization_code": 7],
            [:],
        ] as [JSONObject])
    func codeShape(credential: JSONObject) async throws {
        let amazon = try Amazon()
        #expect(await amazon.signIn(credential).word.hasPrefix("invalid:"))
        #expect(amazon.far.calls.isEmpty)
    }

    @Test("J-05: an Amazon adapter needs a client", arguments: [[], [""]])
    func configurationProblems(ids: [String]) {
        #expect(throws: ProviderConfigurationProblem(setting: "AMAZON_CLIENT_IDS", reason: "names no client")) {
            try Amazon { $0.clientIDs = ids }
        }
    }
}
