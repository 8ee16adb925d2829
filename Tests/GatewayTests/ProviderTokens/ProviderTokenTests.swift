import JSON
import Postgres
import Testing

/// Table J of the attack list, against the running server.
///
/// Its parts are in the other files of this folder.
@Suite("Provider tokens", .gateway())
struct ProviderTokenTests {
    @Test(
        "a first sign-in creates an account, and a second one finds it",
        arguments: ["apple", "amazon", "microsoft", "cognito", "google", "acme"])
    func firstAndSecond(provider: String) async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let person: JSONObject = ["subject": .string(Fresh.subject(provider)), "email": .string(email)]
        let first = try await gateway.session(provider, person)
        #expect(first.isNewAccount)
        #expect(first.email == email)
        #expect(first.answer.json["identity"]?["provider"]?.string == provider)
        #expect(first.answer.json["identity"]?["subject"] == person["subject"])
        #expect(first.answer.header("Cache-Control") == "no-store")
        let second = try await gateway.session(provider, person)
        #expect(!second.isNewAccount)
        #expect(second.account == first.account)
        #expect(second.identity == first.identity)
        #expect(second.session != first.session)
        #expect(second.email == email)
        try await expectAudit(gateway, first, second, provider)
    }

    private func expectAudit(
        _ gateway: GatewayProcess, _ first: SignedInAnswer, _ second: SignedInAnswer, _ provider: String
    ) async throws {
        let rows = try await [gateway.audit(first.answer), gateway.audit(second.answer)].flatMap(\.self)
        #expect(rows.map(\.action) == ["account_created", "signed_in"])
        #expect(rows.map(\.reason) == ["no_match", "known_identity"])
        #expect(rows.map(\.session) == [first.session, second.session])
        #expect(
            rows.allSatisfy { $0.account == first.account && $0.identity == first.identity && $0.outcome == "done" })
        #expect(rows.allSatisfy { $0.provider == provider && $0.client == "app" })
        #expect(rows[0].detail?["answer"] == "create_account")
    }

    @Test(
        "the session of a sign-in works, and lists its proofs", arguments: ["apple", "amazon", "microsoft"])
    func sessionWorks(provider: String) async throws {
        let gateway = try GatewayProcess.current
        let signedIn = try await gateway.session(
            provider, ["subject": .string(Fresh.subject(provider)), "email": .string(Fresh.email())])
        let answer = try await gateway.get("/v1/session", bearer: signedIn.accessToken)
        #expect(answer.status == 200)
        #expect(answer.json["session"]?["id"]?.string == signedIn.session)
        #expect(answer.json["session"]?["provider"]?.string == provider)
        #expect(answer.json["session"]?["amr"] == ["fed"])
        #expect(answer.json["account"] == signedIn.answer.json["account"])
    }

    @Test("an authorization code signs in as the token does", arguments: ["apple", "amazon", "google", "acme"])
    func codes(provider: String) async throws {
        let gateway = try GatewayProcess.current
        let person: JSONObject = ["subject": .string(Fresh.subject(provider)), "email": .string(Fresh.email())]
        let byCode = try await gateway.simulator.mint(provider, person).codeCredential()
        let first = try SignedInAnswer(try await gateway.signIn(provider, credential: byCode))
        let second = try await gateway.session(provider, person)
        #expect(second.account == first.account)
        let kept = try await gateway.count(
            """
            select count(*) from provider_tokens t join identities i on i.id = t.identity_id where i.id::text = \(first.identity)
            """)
        #expect(
            kept == (provider == "apple" ? 1 : 0), "Apple's refresh token is kept, for the day the account is deleted")
    }

    @Test("a microsoft token of an external tenant signs in, apart from the same object of the workforce tenant")
    func externalTenant() async throws {
        let gateway = try GatewayProcess.current
        let subject = Fresh.subject("microsoft")
        let inside = try await gateway.session(
            "microsoft", ["subject": .string(subject), "email": .string(Fresh.email())])
        let outside = try await gateway.session(
            "microsoft",
            [
                "subject": .string(subject), "email": .string(Fresh.email()), "external": true,
                "tenant": "bbbbbbbb-cccc-dddd-eeee-ffffffffffff",
            ])
        #expect(inside.account != outside.account)
    }

    @Test("Apple's name is read from the first sign-in only, as untrusted text")
    func appleName() async throws {
        let gateway = try GatewayProcess.current
        let person: JSONObject = ["subject": .string(Fresh.subject("apple")), "email": .string(Fresh.email())]
        var credential = try await gateway.simulator.mint("apple", person).credential()
        credential["name"] = ["given": "<b>Ann</b>\u{202E}", "family": "  O'Hara\n"]
        let first = try SignedInAnswer(try await gateway.signIn("apple", credential: credential))
        #expect(first.displayName == "bAnn/b O'Hara")
        credential = try await gateway.simulator.mint("apple", person).credential()
        credential["name"] = ["given": "Mallory", "family": "Other"]
        let second = try SignedInAnswer(try await gateway.signIn("apple", credential: credential))
        #expect(second.account == first.account)
        #expect(second.displayName == "bAnn/b O'Hara")
    }

    @Test(
        "a name of the wrong type never refuses a sign-in",
        arguments: [JSON.integer(7), true, [], ["given": 1], .null])
    func oddName(name: JSON) async throws {
        let gateway = try GatewayProcess.current
        var credential = try await gateway.simulator.mint(
            "apple", ["subject": .string(Fresh.subject("apple")), "email": .string(Fresh.email())]
        ).credential()
        credential["name"] = name
        let signedIn = try SignedInAnswer(try await gateway.signIn("apple", credential: credential))
        #expect(signedIn.displayName == nil)
    }
}
