import Cryptography
import JSON
import Testing

extension LinkingTests {
    /// A sign-in with an accompanying session: the second linking rule.
    @Suite("Signing in while signed in")
    struct AccompanyingSessionTests {
        @Test("an unknown identity is linked to the account of a fresh session, with any address")
        func joins() async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            let holder = try await gateway.session("google", ["email": .string(email)])
            let owner = try await gateway.session("apple")
            let minted = try await gateway.simulator.mint("cognito", ["email": .string(email)])
            let answer = try await gateway.signIn(minted, bearer: owner.accessToken)
            let joined = try SignedInAnswer(answer)
            #expect(joined.account == owner.account && joined.account != holder.account)
            #expect(!joined.isNewAccount && joined.session != owner.session && joined.email == owner.email)
            #expect(try await gateway.identities(owner) == ["apple", "cognito"])
            let row = try #require(try await gateway.audit(answer).first)
            #expect(row.action == "identity_linked" && row.reason == "accompanying_session")
            #expect(row.account == owner.account && row.session == joined.session)
            try await gateway.expectRefusal(
                try await gateway.signIn(minted, bearer: owner.accessToken), 401, "token_replayed", provider: "cognito")
        }

        @Test("a known identity signs in to its own account, with any accompanying session")
        func known() async throws {
            let gateway = try GatewayProcess.current
            let person: JSONObject = ["subject": .string(Fresh.subject("google"))]
            let known = try await gateway.session("google", person)
            let other = try await gateway.session("apple")
            for bearer in [other.accessToken, "not a token"] {
                let again = try SignedInAnswer(
                    try await gateway.signIn(try await gateway.simulator.mint("google", person), bearer: bearer))
                #expect(again.account == known.account)
            }
        }

        @Test("an old proof, an ended session and one of another app link nothing and spend nothing")
        func refused() async throws {
            let gateway = try GatewayProcess.current
            let asking = try await gateway.askingClient()
            let subject = Fresh.subject("google")
            let minted = try await gateway.simulator.mint("google", ["subject": .string(subject)])
            let old = try await gateway.aged(try await gateway.session("apple"), seconds: 601)
            let ended = try await gateway.session("apple")
            #expect(try await gateway.post("/v1/sign-out", ["scope": "local"], bearer: ended.accessToken).status == 204)
            let foreign = try await gateway.session("apple", app: asking)
            for (bearer, status, code) in [
                (old, 403, "reauth_required"), (ended.accessToken, 401, "session_ended"),
                (foreign.accessToken, 401, "access_token_invalid"), ("not a token", 401, "access_token_invalid"),
            ] {
                try await gateway.expectRefusal(
                    try await gateway.signIn(minted, bearer: bearer), status, code, provider: "google",
                    leavesRow: bearer != "not a token")
                try await gateway.expectNobody("google", subject)
            }
            let fresh = try await gateway.session("amazon")
            let joined = try SignedInAnswer(try await gateway.signIn(minted, bearer: fresh.accessToken))
            #expect(joined.account == fresh.account)
        }

        @Test("S-27: beside the token of an operator who acts for a user, an unknown identity links nothing")
        func impersonation() async throws {
            let gateway = try GatewayProcess.current
            let user = try await gateway.session("apple")
            let acting = try await gateway.impersonated(user)
            let subject = Fresh.subject("google")
            let minted = try await gateway.simulator.mint("google", ["subject": .string(subject)])
            try await gateway.expectRefusal(
                try await gateway.signIn(minted, bearer: acting), 403, "reauth_required", provider: "google")
            try await gateway.expectNobody("google", subject)
            let person: JSONObject = ["subject": .string(Fresh.subject("google"))]
            let known = try await gateway.session("google", person)
            let again = try SignedInAnswer(
                try await gateway.signIn(try await gateway.simulator.mint("google", person), bearer: acting))
            #expect(again.account == known.account && again.account != user.account)
            let claims = try #require(Base64URL.decode(again.accessToken.split(separator: ".")[1]))
            #expect(try JSON(parsing: claims)["act"] == nil)
        }

        @Test("twenty sign-ins of one new identity with two accompanying sessions link it to one account")
        func race() async throws {
            let gateway = try GatewayProcess.current
            let sessions = [try await gateway.session("apple"), try await gateway.session("apple")]
            let person: JSONObject = ["subject": .string(Fresh.subject("google"))]
            let tokens = try await inParallel(0..<20) { _ in try await gateway.simulator.mint("google", person) }
            let answers = try await inParallel(Array(tokens.enumerated())) { index, minted in
                try await gateway.signIn(minted, bearer: sessions[index % 2].accessToken)
            }
            let joined = try answers.map { try SignedInAnswer($0) }
            #expect(Set(joined.map(\.account)).count == 1)
            #expect(sessions.map(\.account).contains(joined[0].account))
        }
    }
}
