import JSON
import Postgres
import Testing

/// An identity is linked to an account by its address, after every required proof.
@Suite("Joining by an address", .gateway(StepServer.configuration))
struct JoiningByAddressTests {
    private func google(_ person: ProtectedPerson) async throws -> JSONObject {
        ["subject": .string(Fresh.subject("google")), "email": .string(person.email)]
    }

    /// A user with a second factor and an address of Google's authority.
    private func somebody() async throws -> ProtectedPerson {
        let gateway = try GatewayProcess.current
        let email = Fresh.email("gmail.com")
        let session = try await gateway.signUp(email)
        return try await gateway.addingTOTP(
            ProtectedPerson(email: email, account: session.account, session: session), bearer: session.accessToken)
    }

    private func linked(_ person: ProtectedPerson) async throws -> Int {
        try await GatewayProcess.current.count(
            "select count(*) from identities where account_id = \(person.account)::uuid")
    }

    @Test("D5: the identity joins with the last proof, and not with the first")
    func joinsAtTheEnd() async throws {
        let gateway = try GatewayProcess.current
        let person = try await somebody()
        let who = try await google(person)
        let asked = try PendingAnswer(try await gateway.signIn("google", who), "confirm_sign_in_with_totp_code")
        #expect(try await linked(person) == 0)
        #expect(
            try await gateway.answer(asked.flow, ["code": .string(GatewayProcess.wrongCode(person.secret))]).code
                == "code_wrong")
        #expect(try await linked(person) == 0)
        let answer = try await gateway.answer(asked.flow, ["code": .string(try await gateway.freshCode(person))])
        let joined = try SignedInAnswer(answer)
        #expect(joined.account == person.account && !joined.isNewAccount)
        #expect(joined.answer.json["identity"]?["subject"] == who["subject"])
        #expect(try joined.facts.provider == "google" && joined.facts.acr == "2")
        #expect(try await linked(person) == 1)
        let rows = try await gateway.audit(answer, atLeast: 2)
        #expect(rows.map(\.action) == ["identity_linked", "signed_in"])
        #expect(rows.first?.reason == "both_proved" && rows.first?.detail?["rule"] == "both_proved")
        let identity = try await gateway.text(
            "select identity_id::text from sessions where id = \(joined.session)::uuid")
        #expect(identity == joined.identity)
        _ = try PendingAnswer(try await gateway.signIn("google", who), "confirm_sign_in_with_totp_code")
    }

    @Test("D5: an hour's access to the mailbox leaves no sign-in method behind")
    func abandoned() async throws {
        let gateway = try GatewayProcess.current
        let person = try await somebody()
        let who = try await google(person)
        let asked = try PendingAnswer(try await gateway.signIn("google", who))
        #expect(try await gateway.audit(asked.answer).map(\.action) == ["first_factor_proved"])
        #expect(try await linked(person) == 0)
        let notices = try await gateway.count(
            "select count(*) from outbox where kind = 'notice.identity_linked' and account_id = \(person.account)::uuid"
        )
        #expect(notices == 0)
        // The address belongs to another account by then, so the identity is not linked.
        try await gateway.change(
            "update account_emails set proved_at = null where account_id = \(person.account)::uuid")
        let late = try await gateway.answer(asked.flow, ["code": .string(try await gateway.freshCode(person))])
        try await gateway.expectRefusal(late, 400, "flow_expired", action: "continue_sign_in")
        #expect(try await linked(person) == 0)
        try await gateway.change(
            "update account_emails set proved_at = now() where account_id = \(person.account)::uuid")
    }

    @Test("D5: a remembered device does not link an identity")
    func rememberedDevice() async throws {
        let gateway = try GatewayProcess.current
        let person = try await somebody()
        let device = try #require(try await gateway.signIn(person, remember: true).device)
        let minted = try await gateway.simulator.mint("google", try await google(person))
        let answer = try await gateway.post(
            "/v1/sign-in",
            [
                "provider": "google", "client_id": "app", "credential": .object(minted.credential()),
                "device": ["token": .string(device)],
            ])
        _ = try PendingAnswer(answer, "confirm_sign_in_with_totp_code")
        #expect(try await linked(person) == 0)
    }

    @Test("D5: two concurrent sign-ins with one identity link it once, and both sign in")
    func twice() async throws {
        let gateway = try GatewayProcess.current
        let person = try await somebody()
        let who = try await google(person)
        let flows = [
            try PendingAnswer(try await gateway.signIn("google", who)),
            try PendingAnswer(try await gateway.signIn("google", who)),
        ]
        for pending in flows {
            let joined = try SignedInAnswer(
                try await gateway.answer(pending.flow, ["code": .string(try await gateway.freshCode(person))]))
            #expect(joined.account == person.account)
        }
        #expect(try await linked(person) == 1)
    }
}
