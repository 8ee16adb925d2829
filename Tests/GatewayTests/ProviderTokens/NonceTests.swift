import Foundation
import JSON
import Postgres
import TestSupport
import Testing

extension ProviderTokenTests {
    @Suite("Nonces and replays")
    struct NonceTests {
        private static let withNonce = ["apple", "microsoft", "cognito", "google", "acme"]

        @Test("J-16: a server nonce is valid once", arguments: withNonce)
        func roundTrip(provider: String) async throws {
            let gateway = try GatewayProcess.current
            let nonce = try await gateway.nonce()
            let first = try await gateway.simulator.mint(provider, ["nonce": .string(nonce)])
            _ = try SignedInAnswer(try await gateway.signIn(first, nonce: nonce))
            let second = try await gateway.simulator.mint(provider, ["nonce": .string(nonce)])
            try await gateway.expectRefusal(
                try await gateway.signIn(second, nonce: nonce), 401, "nonce_used", provider: provider)
        }

        @Test("J-16: a nonce spent by one provider's token is spent for all providers")
        func spentForAll() async throws {
            let gateway = try GatewayProcess.current
            let nonce = try await gateway.nonce()
            let google = try await gateway.simulator.mint("google", ["nonce": .string(nonce)])
            _ = try SignedInAnswer(try await gateway.signIn(google, nonce: nonce))
            let apple = try await gateway.simulator.mint("apple", ["nonce": .string(nonce)])
            try await gateway.expectRefusal(
                try await gateway.signIn(apple, nonce: nonce), 401, "nonce_used", provider: "apple")
        }

        @Test("J-16: a token with a nonce that is not posted is refused", arguments: withNonce)
        func missing(provider: String) async throws {
            let gateway = try GatewayProcess.current
            let minted = try await gateway.simulator.mint(provider, ["nonce": .string(try await gateway.nonce())])
            try await gateway.expectRefusal(try await gateway.signIn(minted), 401, "nonce_missing", provider: provider)
        }

        @Test("3-R5: an app may take tokens with a nonce of its SDK: fresh, once, and never with a nonce of ours")
        func foreign() async throws {
            let gateway = try GatewayProcess.current
            let app = "sdk-\(Fresh.text())"
            try await gateway.addClient(app, secret: nil)
            let bySDK: JSONObject = ["nonce": "by-sdk"]
            let minted = try await gateway.simulator.mint("google", bySDK)
            let refused = try await gateway.signIn(minted)
            #expect(refused.code == "nonce_missing" && refused.json["detail"]?.string?.contains("GIDSignIn") == true)
            try await gateway.change("update clients set foreign_nonces = true where id = \(app)")
            let taken = try await poll {
                let answer = try await gateway.signIn(minted, app: app)
                return answer.code == "nonce_missing" ? nil : answer
            }
            _ = try SignedInAnswer(taken)
            #expect(try await gateway.signIn(minted, app: app).code == "token_replayed")
            let old = Int(Date().timeIntervalSince1970) - 400
            let stale = try await gateway.simulator.mint(
                "google", ["nonce": "by-sdk", "claims": ["iat": .integer(old)]])
            #expect(try await gateway.signIn(stale, app: app).code == "too_old")
            let own = try await gateway.simulator.mint("google", ["nonce": .string(try await gateway.nonce())])
            #expect(try await gateway.signIn(own, app: app).code == "nonce_missing")
        }

        @Test("J-16: a nonce that the token doesn't carry is refused", arguments: withNonce)
        func absent(provider: String) async throws {
            let gateway = try GatewayProcess.current
            let minted = try await gateway.simulator.mint(provider)
            let answer = try await gateway.signIn(minted, nonce: try await gateway.nonce())
            try await gateway.expectRefusal(answer, 401, "nonce_absent", provider: provider)
        }

        @Test("J-16: another user's nonce is refused, and stays valid for its owner", arguments: withNonce)
        func otherPersons(provider: String) async throws {
            let gateway = try GatewayProcess.current
            let (mine, theirs) = (try await gateway.nonce(), try await gateway.nonce())
            let minted = try await gateway.simulator.mint(provider, ["nonce": .string(mine)])
            try await gateway.expectRefusal(
                try await gateway.signIn(minted, nonce: theirs), 401, "nonce_mismatch", provider: provider)
            _ = try SignedInAnswer(try await gateway.signIn(minted, nonce: mine))
            let other = try await gateway.simulator.mint(provider, ["nonce": .string(theirs)])
            _ = try SignedInAnswer(try await gateway.signIn(other, nonce: theirs))
        }

        /// Apple's token contains exactly the SHA-256 of the nonce in lower-case hex.
        @Test("J-16: the nonce claim of a found token can't be posted back")
        func claimPostedBack() async throws {
            let gateway = try GatewayProcess.current
            let minted = try await gateway.simulator.mint("apple", ["nonce": .string(try await gateway.nonce())])
            let claim = try #require(minted.members["claims"]?["nonce"]?.string)
            try await gateway.expectRefusal(
                try await gateway.signIn(minted, nonce: claim), 401, "nonce_mismatch", provider: "apple")
        }

        @Test("J-16: a nonce from elsewhere is refused", arguments: withNonce)
        func foreign(provider: String) async throws {
            let gateway = try GatewayProcess.current
            let ours = try await gateway.nonce()
            let bent = String(ours.dropLast()) + (ours.hasSuffix("A") ? "Q" : "A")
            for nonce in ["abc", "00000000-0000-0000-0000-000000000000", String(ours.dropLast()), bent, ours + "A"] {
                let minted = try await gateway.simulator.mint(provider, ["nonce": .string(nonce)])
                try await gateway.expectRefusal(
                    try await gateway.signIn(minted, nonce: nonce), 401, "nonce_unknown", provider: provider)
            }
        }

        @Test(
            "J-16: a posted nonce that is not a text is a malformed request",
            arguments: [JSON.integer(1), true, ["a"], ["a": "b"], "", "a b"])
        func postedOfWrongType(value: JSON) async throws {
            let gateway = try GatewayProcess.current
            var credential = try await gateway.simulator.mint("apple").credential()
            credential["nonce"] = value
            let answer = try await gateway.signIn("apple", credential: credential)
            try await gateway.expectRefusal(answer, 400, "invalid_request", provider: "apple")
            #expect(answer.json["errors"]?.array?.first?["pointer"] == "/credential/nonce")
        }

        @Test("J-16: of fifty concurrent tokens with one nonce, one succeeds")
        func oneNonceInParallel() async throws {
            let gateway = try GatewayProcess.current
            let nonce = try await gateway.nonce()
            let tokens = try await gateway.simulator.mintBatch(
                "google",
                ["count": 50, "distinct_subjects": true, "nonce": .string(nonce), "email": .string(Fresh.email())])
            let answers = try await inParallel(tokens) { try await gateway.signIn($0, nonce: nonce) }
            #expect(answers.count { $0.status == 200 } == 1)
            #expect(answers.count { $0.code == "nonce_used" } == 49)
        }

        // MARK: Replay

        @Test("J-17: a token works once", arguments: ["apple", "amazon", "microsoft", "cognito", "google", "acme"])
        func replay(provider: String) async throws {
            let gateway = try GatewayProcess.current
            let minted = try await gateway.simulator.mint(provider)
            let first = try SignedInAnswer(try await gateway.signIn(minted))
            let answer = try await gateway.signIn(minted)
            try await gateway.expectRefusal(answer, 401, "token_replayed", provider: provider)
            #expect(answer.json["title"]?.string == TokenAttack.title)
            let sessions = try await gateway.get("/v1/account/sessions", bearer: first.accessToken)
            #expect(sessions.json["sessions"]?.array?.count == 1)
        }

        @Test("J-17: a fresh nonce doesn't make a used token valid again")
        func replayWithFreshNonce() async throws {
            let gateway = try GatewayProcess.current
            let nonce = try await gateway.nonce()
            let minted = try await gateway.simulator.mint("apple", ["nonce": .string(nonce)])
            _ = try SignedInAnswer(try await gateway.signIn(minted, nonce: nonce))
            try await gateway.expectRefusal(
                try await gateway.signIn(minted, nonce: nonce), 401, "token_replayed", provider: "apple")
            let fresh = try await gateway.nonce()
            try await gateway.expectRefusal(
                try await gateway.signIn(minted, nonce: fresh), 401, "nonce_mismatch", provider: "apple")
        }

        @Test("J-17: a token used for a sign-in cannot link afterwards")
        func replayAtLink() async throws {
            let gateway = try GatewayProcess.current
            let minted = try await gateway.simulator.mint("google")
            let signedIn = try SignedInAnswer(try await gateway.signIn(minted))
            let answer = try await gateway.post(
                "/v1/account/identities", ["provider": "google", "credential": .object(minted.credential())],
                bearer: signedIn.accessToken)
            try await gateway.expectRefusal(answer, 401, "token_replayed", action: "link_identity", provider: "google")
        }

        /// A busy machine may answer 503 to one of them: nothing was spent, and it is repeated.
        private static func fiftyAnswers(to minted: Minted, _ gateway: GatewayProcess) async throws -> [TestAnswer] {
            try await inParallel(0..<50) { _ in
                try await poll(every: .milliseconds(500)) {
                    let answer = try await gateway.signIn(minted)
                    return answer.status == 503 ? nil : answer
                }
            }
        }

        @Test("J-17: of fifty concurrent posts of one token, one succeeds", arguments: ["apple", "amazon"])
        func replayInParallel(provider: String) async throws {
            let gateway = try GatewayProcess.current
            let subject = Fresh.subject(provider)
            let minted = try await gateway.simulator.mint(provider, ["subject": .string(subject)])
            let answers = try await Self.fiftyAnswers(to: minted, gateway)
            #expect(answers.count { $0.status == 200 } == 1)
            let others = answers.filter { $0.status != 200 && $0.code != "token_replayed" }
            #expect(others.isEmpty, "\(others.map(\.text))")
            let sessions = try await gateway.count(
                "select count(*) from sessions s join identities i on i.id = s.identity_id where i.subject = \(subject)"
            )
            #expect(sessions == 1)
        }

        @Test("J-17: of fifty concurrent posts of a known user's token, one succeeds")
        func replayInParallelOfKnown() async throws {
            let gateway = try GatewayProcess.current
            let person: JSONObject = ["subject": .string(Fresh.subject("apple")), "email": .string(Fresh.email())]
            _ = try await gateway.session("apple", person)
            let minted = try await gateway.simulator.mint("apple", person)
            let answers = try await Self.fiftyAnswers(to: minted, gateway)
            #expect(answers.count { $0.status == 200 } == 1)
            #expect(answers.count { $0.code == "token_replayed" } == 49)
        }
    }
}

@Suite("NATIVE_NONCE=required", .gateway(["NATIVE_NONCE": "required"]))
struct RequiredNonceTests {
    @Test(
        "J-16: a token without a nonce is refused where one is required",
        arguments: ["apple", "microsoft", "google", "acme"])
    func required(provider: String) async throws {
        let gateway = try GatewayProcess.current
        let subject = Fresh.subject(provider)
        let bare = try await gateway.simulator.mint(provider, ["subject": .string(subject)])
        try await gateway.expectRefusal(try await gateway.signIn(bare), 401, "nonce_missing", provider: provider)
        try await gateway.expectNobody(provider, subject)
        let nonce = try await gateway.nonce()
        let proved = try await gateway.simulator.mint(provider, ["subject": .string(subject), "nonce": .string(nonce)])
        #expect(try SignedInAnswer(try await gateway.signIn(proved, nonce: nonce)).isNewAccount)
    }

    @Test("providers that have no nonces still sign in", arguments: ["amazon", "cognito"])
    func exempt(provider: String) async throws {
        _ = try await GatewayProcess.current.session(provider)
    }
}
