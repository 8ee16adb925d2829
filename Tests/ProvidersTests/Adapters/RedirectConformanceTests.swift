import Cryptography
import FoundationEssentials
import JSON
import Outbound
import Providers
import TestSupport
import Testing

/// The rules for every adapter with redirect sign-in.
@Suite("Every adapter for redirects")
struct RedirectConformanceTests {
    @Test("a redirect has exactly these parameters", arguments: RedirectConformance.all)
    func parameters(about: RedirectConformance) async throws {
        let stage = try RedirectStage(about)
        let (page, fields) = try await stage.parameters()
        let usual = [
            "redirect_uri": RedirectStage.redirectURI, "state": "st+a&te=/é",
            "code_challenge": RedirectStage.challenge, "code_challenge_method": "S256",
        ]
        #expect(page == about.page)
        #expect(fields == usual.merging(about.parameters) { one, _ in one })
        #expect(stage.provider.canRedirect)
        #expect(stage.provider.redirectAnswer == (about.name == "apple" ? .formPost : .query))
        #expect(stage.exchanges == 0)
    }

    @Test(
        "a code identifies the user, and its exchange has exactly its parameters",
        arguments: RedirectConformance.all)
    func good(about: RedirectConformance) async throws {
        let stage = try RedirectStage(about)
        let identity = try await stage.redeem().get()
        #expect(identity.provider == stage.provider.id)
        #expect(identity.realm == about.realm && identity.subject == about.subject)
        #expect(identity.email?.address == about.email)
        #expect(identity.nonce == (about.claims == nil && !about.provesNonce ? nil : .posted(RedirectStage.nonce)))
        #expect(identity.replayDigest == SHA256.hash("c0de+/|="))
        #expect(identity.replayEnd == .counted(TestClock.now.addingTimeInterval(600)))
        #expect(identity.displayName == (about.name == "apple" ? nil : "Ann"))
        let form = try #require(stage.far.calls.first { $0.url == about.tokenURL }?.form)
        let usual = [
            "grant_type": "authorization_code", "code": "c0de+/|=", "redirect_uri": RedirectStage.redirectURI,
            "code_verifier": RedirectStage.verifier,
        ]
        let sent = form.map { ($0, about.client[$0] == "*" ? "*" : $1) }
        #expect(Dictionary(uniqueKeysWithValues: sent) == usual.merging(about.client) { one, _ in one })
        #expect(stage.exchanges == 1)
    }

    @Test("a cancelled sign-in differs from a failure", arguments: RedirectConformance.all)
    func cancellation(about: RedirectConformance) throws {
        let provider = try RedirectStage(about).provider
        #expect(provider.isCancellation("access_denied"))
        #expect(provider.isCancellation("user_cancelled_authorize") == (about.name == "apple"))
        for word in ["server_error", "ACCESS_DENIED", "access_denied ", "", "<script>", "invalid_request"] {
            #expect(!provider.isCancellation(word))
        }
    }

    @Test("W-04: an iss parameter must equal the provider's issuer, byte for byte", arguments: RedirectConformance.all)
    func issuer(about: RedirectConformance) async throws {
        let provider = try RedirectStage(about).provider
        #expect(try await provider.acceptsIssuer(about.issuer))
        #expect(try await provider.acceptsIssuer(nil))
        let issuer = about.issuer ?? about.page
        let others = [
            "", issuer + "/", String(issuer.dropLast()), issuer.uppercased(), "https://evil.example",
            issuer + "\u{301}",
        ]
        for other in others + RedirectConformance.all.compactMap(\.issuer) where other != about.issuer {
            #expect(try await !provider.acceptsIssuer(other), "\(other)")
        }
    }

    @Test("a code that the provider rejects is refused and never sent again", arguments: RedirectConformance.all)
    func refusedCode(about: RedirectConformance) async throws {
        let stage = try RedirectStage(about)
        let (word, status) = (about.refusals.code, about.refusals.status)
        stage.exchange { _ in
            .success(.json(#"{"error":\#(about.error(word)),"error_description":"x"}"#, status: status))
        }
        #expect(await stage.redeem() == .failure(.refused(.codeInvalid)))
        #expect(stage.exchanges == 1)
    }

    @Test("a secret that the provider rejects is a configuration error", arguments: RedirectConformance.all)
    func refusedClient(about: RedirectConformance) async throws {
        let stage = try RedirectStage(about)
        let (word, status) = (about.refusals.client, about.refusals.status)
        stage.exchange { _ in .success(.json(#"{"error":\#(about.error(word))}"#, status: status)) }
        #expect(await stage.redeem() == .failure(.misconfigured(reason: "client_secret_rejected")))
        #expect(stage.health.snapshot.lastFailureReason == "client_secret_rejected")
    }

    @Test(
        "a slow, broken or garbled exchange makes the provider unavailable",
        arguments: RedirectConformance.all)
    func trouble(about: RedirectConformance) async throws {
        let answers: [Result<HTTPResponse, TransferError>] = [
            .failure(.timedOut), .failure(.tlsFailed), .failure(.redirectRefused), .failure(.responseTooLarge),
            .failure(.circuitOpen(retryAfterSeconds: 9)), .success(.html), .success(.json("not json")),
            .success(.json("[]")), .success(.json("{}")), .success(.json("{}", status: 500)),
            .success(.json("{}", status: 429)), .success(.json(#"{"error":7}"#)),
            .success(.json(#"{"error":"something_new"}"#, status: 400)),
            .success(.json("{\"a\":\"" + String(repeating: "a", count: 70_000) + "\"}")),
        ]
        for answer in answers {
            let stage = try RedirectStage(about)
            stage.exchange { _ in answer }
            #expect(await stage.redeem().word == "unavailable")
            #expect(stage.exchanges == 1, "a code is never sent twice")
        }
        for members: JSONObject in [
            ["token_type": "mac"], ["expires_in": 0], ["access_token": .null, "id_token": .null],
        ] {
            let stage = try RedirectStage(about)
            try stage.sell(members: members)
            #expect(await stage.redeem().word == "unavailable")
        }
    }

    @Test(
        "a malformed code causes no request", arguments: RedirectConformance.all,
        ["", "a b", "a\r\nb", "caf\u{e9}", "a\u{0}", String(repeating: "c", count: 4_097)])
    func malformedCode(about: RedirectConformance, code: String) async throws {
        let stage = try RedirectStage(about)
        #expect(await stage.redeem(code: code) == .failure(.invalidRequest(member: "code", reason: "malformed")))
        #expect(stage.far.calls.isEmpty)
    }

    @Test(
        "J-16, J-27: the token of an exchanged code passes every check", arguments: RedirectConformance.signed,
        [
            (["nonce": "another"], "nonce_mismatch"), (["nonce": .null], "nonce_absent"), (["nonce": 7], "claim_type"),
            (["nonce": .string(Hex.encode(SHA256.hash(RedirectStage.nonce)))], "nonce_mismatch"),
            (["aud": "stranger"], "audience_mismatch"), (["aud": []], "audience_mismatch"),
            (["iss": "https://evil.example"], "issuer_not_allowed"), (["at_hash": "AAAA"], "code_token_mismatch"),
            (["at_hash": 7], "code_token_mismatch"), (["exp": 1_700_000_000], "expired"),
            (["iat": 1_799_990_000], "too_old"), (["azp": "stranger"], "authorized_party_mismatch"),
            (["events": "{}"], "wrong_token_type"),
            (["at_hash": .string(RedirectStage.hash(of: "access"))], "ok"), (["at_hash": .null], "ok"),
        ] as [(JSONObject, String)])
    func boughtToken(about: RedirectConformance, row: (claims: JSONObject, word: String)) async throws {
        let stage = try RedirectStage(about)
        try stage.sell(row.claims)
        #expect(await stage.redeem().word == row.word)
    }

    @Test("the token of an exchanged code must be signed by the issuer's key", arguments: RedirectConformance.signed)
    func boughtSignature(about: RedirectConformance) async throws {
        let stage = try RedirectStage(about)
        for signing in [TokenMint.Signing.empty, .otherKey, .tampered, .hs256WithPublicKey] {
            try stage.sell(signing: signing)
            #expect(await stage.redeem().word == "signature_invalid")
        }
        try stage.sell(header: ["alg": "none"], signing: .none)
        #expect(await stage.redeem().word == "algorithm_not_allowed")
        try stage.sell(header: ["typ": "at+jwt"])
        #expect(await stage.redeem().word == "wrong_token_type")
        try stage.sell(header: ["kid": "key-2"])
        #expect(await stage.redeem().word == "key_unknown")
    }

    @Test(
        "J-27: a code is exchanged as the first client, and its token must have that audience",
        arguments: RedirectConformance.signed)
    func otherClient(about: RedirectConformance) async throws {
        let stage = try RedirectStage(about)
        let (first, other) = (JSON.string(try #require(about.client["client_id"])), JSON.string(about.otherClient))
        for claims: JSONObject in [["aud": other], ["aud": [first, other], "azp": first]] {
            try stage.sell(claims)
            #expect(await stage.redeem() == .failure(.refused(.audienceMismatch)))
        }
        try stage.sell(["aud": [first], "azp": first])
        #expect(await stage.redeem().word == "ok")
    }

    @Test("an exchange without an ID token is a failure of the provider", arguments: RedirectConformance.signed)
    func noToken(about: RedirectConformance) async throws {
        for value: JSON in [.null, 7, "", "abc", "a.b.c"] {
            let stage = try RedirectStage(about)
            try stage.sell(members: ["id_token": value])
            #expect(await stage.redeem().word == "unavailable")
        }
    }

    @Test("without discovery, there is no redirect and no exchange", arguments: RedirectConformance.discovered)
    func noDiscovery(about: RedirectConformance) async throws {
        let stage = try RedirectStage(about)
        let discovery = (about.issuer ?? "") + "/.well-known/openid-configuration"
        stage.far[discovery] = .init { _ in .failure(.timedOut) }
        #expect(await stage.startWord() == "unavailable")
        #expect(await stage.redeem().word == "unavailable")
        await #expect(throws: ProviderError.self) { try await stage.provider.acceptsIssuer(nil) }
        #expect(stage.exchanges == 0)
    }
}
