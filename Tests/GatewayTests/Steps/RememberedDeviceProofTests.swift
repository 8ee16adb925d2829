import Foundation
import JSON
import Postgres
import Testing

extension StepTests {
    /// A remembered device replaces the second factor only at a sign-in.
    @Suite("Limits of a remembered device")
    struct RememberedDeviceProofTests {
        private static let next = "another heron over the weir"

        @Test("D1: a reset on a remembered device demands the second factor before it sets a password")
        func reset() async throws {
            let gateway = try GatewayProcess.current
            let person = try await gateway.protectedPerson()
            let device = try #require(try await gateway.signIn(person, remember: true).device)
            let asked = try await gateway.forgot(person.email)
            let answer = try await gateway.post(
                "/v1/password/reset",
                [
                    "flow": .string(asked.pending.flow),
                    "response": ["code": .string(asked.code), "new_password": .string(Self.next)],
                    "device": ["token": .string(device)],
                ])
            let second = try PendingAnswer(answer, "confirm_sign_in_with_totp_code")
            #expect(try await gateway.passwordSignIn(person.email, Self.next).code == "invalid_credentials")
            #expect(try await gateway.checkSession(person.session.accessToken).status == 200)
            let signedIn = try SignedInAnswer(
                try await gateway.answer(
                    second.flow, ["code": .string(try await gateway.freshCode(person))], device: device))
            #expect(try signedIn.facts.acr == "2")
            #expect(try await gateway.passwordProved(person.email, Self.next).type == "confirm_sign_in_with_totp_code")
        }

        @Test("D1: a browser that is remembered by its cookie resets no password without the second factor")
        func resetInBrowser() async throws {
            let gateway = try GatewayProcess.current
            let person = try await gateway.protectedPerson()
            let browser = try await PageBrowser.open(gateway, "/login")
            try await browser.passwordSignIn(person.email, GatewayProcess.password)
            try await browser.submit(
                "/login/step", ["code": try await gateway.freshCode(person), "remember_device": "true"])
            try await browser.submit("/logout")
            let remembered = try await gateway.count(
                "select count(*) from remembered_devices where account_id = \(person.account)::uuid")
            try #require(remembered == 1, "\(browser.page.text)")
            let sent = gateway.mailedCodes(to: person.email)
            try await browser.visit("/forgot")
            try await browser.submit("/forgot", ["username": person.email])
            let code = try await gateway.mailedCode(to: person.email, number: sent + 1)
            try await browser.resetPassword(code, to: Self.next)
            #expect(browser.cookies["__Host-session"] == nil, "\(browser.page.text)")
            #expect(try await gateway.passwordSignIn(person.email, Self.next).code == "invalid_credentials")
            try await browser.submit("/login/step", ["code": try await gateway.freshCode(person)])
            #expect(browser.cookies["__Host-session"] != nil, "\(browser.page.text)")
        }

        @Test("D1: a temporary password is not replaced on a remembered device without the second factor")
        func temporaryPassword() async throws {
            let gateway = try GatewayProcess.current
            let person = try await gateway.protectedPerson()
            let device = try #require(try await gateway.signIn(person, remember: true).device)
            try await gateway.change(
                "update accounts set password_state = 'temporary' where id = \(person.account)::uuid")
            let answer = try await gateway.signIn(
                "password", ["username": .string(person.email), "password": .string(GatewayProcess.password)],
                device: device)
            _ = try PendingAnswer(answer, "confirm_sign_in_with_totp_code")
        }

        /// The effects passed to the statement, and whether they are allowed.
        struct Case: Sendable, CustomTestStringConvertible {
            let effects: String
            /// The column that names another sign-in or session.
            var set = ""
            let outcome: String
            var testDescription: String { "\(effects) \(set)" }
        }

        private static let remembered = #"{"kind": "remembered_device", "digest": "DIGEST"}"#
        private static let password = #"{"kind": "password", "hash": "x", "reason": "reset", "through": null}"#
        private static let other =
            #"{"kind": "remembered_device", "digest": "\#(String(repeating: "00", count: 32))"}"#

        @Test(
            "D1: the statement creates a session of one factor only on a remembered device, and without a change",
            arguments: [
                Case(effects: "[]", outcome: "flow_expired"),
                Case(effects: "[\(other)]", outcome: "flow_expired"),
                Case(effects: "[\(remembered), \(password)]", outcome: "flow_expired"),
                Case(effects: "[\(remembered)]", set: "link_flow", outcome: "flow_expired"),
                Case(effects: "[\(remembered)]", set: "session_id", outcome: "flow_expired"),
                Case(effects: "[\(remembered)]", outcome: "signed_in"),
            ])
        func statement(_ it: Case) async throws {
            let gateway = try GatewayProcess.current
            let person = try await gateway.protectedPerson()
            _ = try await gateway.signIn(person, remember: true)
            let asked = try await gateway.passwordProved(person.email)
            let flow = try #require(GatewayProcess.row(of: asked.flow))
            let digest = try await gateway.text(
                "select encode(digest, 'hex') from remembered_devices where account_id = \(person.account)::uuid")
            let effects = it.effects.replacing("DIGEST", with: digest)
            try await gateway.change(
                """
                update flows set link_flow = case when \(it.set) = 'link_flow' then id end,
                                 session_id = case when \(it.set) = 'session_id' then id end where id = \(flow)
                """)
            #expect(try await gateway.answerDirectly(flow, effects: effects, level: "1") == it.outcome)
            let password = try await gateway.passwordSignIn(person.email, GatewayProcess.password)
            #expect(password.status == 200, "The password stays.")
        }

        @Test("D1: a password that a provider took is not kept by a session without the second factor")
        func migration() async throws {
            let gateway = try GatewayProcess.current
            let person = try await gateway.protectedPerson()
            let strong = try await gateway.signIn(person)
            try await gateway.change("delete from passwords where account_id = \(person.account)::uuid")
            for (session, isKept) in [(person.session.session, "false"), (strong.session, "true")] {
                let kept = try await gateway.text(
                    """
                    select keep_migrated_password(\(person.account)::uuid, \(session)::uuid, 'x', 'cognito', 'app', null, 'test')::text
                    """)
                #expect(kept == isKept)
            }
        }
    }
}

extension GatewayProcess {
    /// The text that a statement returns.
    func text(_ statement: SQL) async throws -> String {
        try #require(try await sql { connection in try connection.queryOne(statement)?.value(0, as: String?.self) })
    }

    /// Reports a right answer to a flow's step, like a server without checks; returns the outcome.
    func answerDirectly(_ flow: UUID, effects: String, level: String) async throws -> String {
        try await text(
            """
            select (answer_sign_in_flow(
                       id, revision, true, null, row(5, 20, 180000, 600, 3600)::flow_limits, \(effects)::jsonb, '{}', null, null, 0, null, '{}', '{}', '{}', '[]', true,
                       row(gen_random_uuid(), client_id, 'password', sha256(id::text::bytea), now(), '{pwd}', \(level), 3600,
                           7200, null, null, null, 'test', null, false, 600, 60, 8, null, null, null, true, null, null, null)::session_request, null, '{}', '{}', '{}')).outcome
              from flows where id = \(flow)
            """)
    }
}
