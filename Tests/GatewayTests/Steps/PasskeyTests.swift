import Cryptography
import JSON
import Postgres
import TestSupport
import Testing
import WebAuthnTestAuthenticator

extension StepTests {
    /// Passkeys through the real server, with a scripted authenticator.
    @Suite("Passkeys")
    struct PasskeyTests {
        @Test("a passkey is created by a signed-in user, and signs in without a name")
        func discoverable() async throws {
            let gateway = try GatewayProcess.current
            var holder = try await gateway.passkeyHolder()
            let begun = try PendingAnswer(try await gateway.begin("passkey"), "confirm_sign_in_with_passkey")
            #expect(begun.step["passkey"]?["allowCredentials"]?.array ?? [] == [])
            #expect(begun.step["passkey"]?["rpId"] == "example.org")
            let assertion = try holder.key.assert(try #require(begun.step["passkey"]))
            let answer = try await gateway.answer(begun.flow, ["credential": assertion])
            let signedIn = try SignedInAnswer(answer)
            #expect(signedIn.account == holder.account)
            let facts = try signedIn.facts
            #expect(facts.amr == ["pop", "user", "mfa"] && facts.acr == "2" && facts.provider == "passkey")
            let rows = try await gateway.audit(answer)
            #expect(rows.map(\.action) == ["signed_in"] && rows.first?.reason == "passkey")
        }

        @Test("3-R2: a passkey from before its first sync signs in after it, which the audit log keeps once")
        func syncedLater() async throws {
            let gateway = try GatewayProcess.current
            var holder = try await gateway.passkeyHolder(flags: 0x05)
            holder.key.flags = 0x1D
            let synced = try await gateway.signIn(passkey: &holder.key)
            #expect(synced.status == 200, "\(synced.text)")
            let rows = try await gateway.audit(synced, atLeast: 2)
            #expect(Set(rows.map(\.action)) == ["factor_changed", "signed_in"])
            #expect(rows.contains { $0.action == "factor_changed" && $0.reason == "backup_eligible" })
            let again = try await gateway.signIn(passkey: &holder.key)
            #expect(try await gateway.audit(again).map(\.action) == ["signed_in"])
            let kept = try await gateway.count(
                "select count(*) from passkeys where id = \(holder.factor)::uuid and backup_eligible and backed_up")
            #expect(kept == 1)
            holder.key.flags = 0x05
            #expect(try await gateway.signIn(passkey: &holder.key).code == "passkey_refused")
        }

        @Test("an app that lists passkeys alone accepts nothing else")
        func passkeyOnly() async throws {
            let gateway = try GatewayProcess.current
            var holder = try await gateway.passkeyHolder()
            let app = "keys-\(Fresh.text())"
            try await gateway.addClient(app, secret: nil)
            try await gateway.change("update clients set providers = '{passkey}' where id = \(app)")
            let email = holder.email
            let begun = try await poll {
                let others = [
                    try await gateway.begin("email_otp", email, app: app),
                    try await gateway.passwordSignIn(email, GatewayProcess.password, app: app),
                    try await gateway.post(
                        "/v1/password/forgot", ["client_id": .string(app), "username": .string(email)]),
                    try await gateway.post(
                        "/v1/sign-up", ["client_id": .string(app), "username": .string(Fresh.email())]),
                ]
                guard others.allSatisfy({ $0.code == "provider_not_allowed" }) else { return nil as PendingAnswer? }
                return try PendingAnswer(try await gateway.begin("passkey", app: app))
            }
            let assertion = try holder.key.assert(try #require(begun.step["passkey"]))
            let signedIn = try SignedInAnswer(try await gateway.answer(begun.flow, ["credential": assertion]))
            #expect(signedIn.account == holder.account)
        }

        @Test("L-10: a forwarding address is no sign-in method, so the last passkey stays")
        func lastSignInMethod() async throws {
            let gateway = try GatewayProcess.current
            let holder = try await gateway.passkeyHolder()
            try await gateway.change(
                "update account_emails set is_relay = true where account_id = \(holder.account)::uuid")
            try await gateway.change("delete from passwords where account_id = \(holder.account)::uuid")
            func remove() async throws -> TestAnswer {
                try await gateway.delete(
                    "/v1/account/factors/\(holder.factor)", bearer: holder.session.accessToken)
            }
            try await gateway.expectRefusal(try await remove(), 409, "last_credential", action: "remove_factor")
            try await gateway.change(
                "update account_emails set is_relay = false where account_id = \(holder.account)::uuid")
            #expect(try await remove().status == 204)
        }

        @Test("a challenge is used once, also by twenty concurrent answers")
        func spentChallenge() async throws {
            let gateway = try GatewayProcess.current
            var holder = try await gateway.passkeyHolder()
            let begun = try PendingAnswer(try await gateway.begin("passkey"))
            let assertion = try holder.key.assert(try #require(begun.step["passkey"]))
            let answers = try await inParallel(20) { _ in
                try await gateway.answer(begun.flow, ["credential": assertion])
            }
            #expect(answers.count { $0.status == 200 } == 1)
            #expect(answers.allSatisfy { $0.status == 200 || $0.code == "flow_expired" })
            try await gateway.expectRefusal(
                try await gateway.answer(begun.flow, ["credential": assertion]), 400, "flow_expired",
                action: "continue_sign_in")
        }

        /// A fault of an assertion, and the check that detects it.
        enum Flaw: String, CaseIterable, Sendable {
            case origin = "origin_mismatch"
            case relyingParty = "relying_party_mismatch"
            case challenge = "challenge_mismatch"
            case signature = "signature_invalid"
            case unknown = "credential_not_allowed"
            case userHandle = "user_handle_mismatch"
            case ceremony = "client_data_type_invalid"
        }

        @Test("an invalid passkey answer is refused, for every kind of error", arguments: Flaw.allCases)
        func flaws(flaw: Flaw) async throws {
            let gateway = try GatewayProcess.current
            var holder = try await gateway.passkeyHolder()
            let begun = try PendingAnswer(try await gateway.begin("passkey"))
            let other = try PendingAnswer(try await gateway.begin("passkey"))
            let options = try #require(begun.step["passkey"])
            let foreign = try #require(other.step["passkey"])
            var key = holder.key
            if flaw == .origin { key.origin = "https://login.example.org.evil.net" }
            if flaw == .relyingParty { key.relyingPartyID = "evil.net" }
            if flaw == .unknown { key.credentialID = RandomBytes.system(32) }
            if flaw == .signature { key.key = try PrivateKey.generateP256() }
            if flaw == .userHandle { key.userHandle = RandomBytes.system(16) }
            let used = flaw == .challenge ? foreign : options
            let challenge = try #require(used["challenge"]?.string.flatMap { Base64URL.decode($0) })
            let assertion = try key.assert(challenge: challenge) { draft in
                if flaw == .ceremony { draft.clientData["type"] = "webauthn.create" }
            }
            let answer = try await gateway.answer(begun.flow, ["credential": assertion])
            try await gateway.expectRefusal(answer, 401, "passkey_refused", action: "continue_sign_in")
            #expect(answer.json["errors"]?.array?.first?["code"]?.string == flaw.rawValue)
            // It did not spend the challenge, so the owner can continue.
            let right = try holder.key.assert(options)
            _ = try SignedInAnswer(try await gateway.answer(begun.flow, ["credential": right]))
        }

        @Test("a counter that did not go on is a copy's")
        func counter() async throws {
            let gateway = try GatewayProcess.current
            var holder = try await gateway.passkeyHolder(signCount: 5)
            var copy = holder.key
            _ = try SignedInAnswer(try await gateway.signIn(passkey: &holder.key))
            try await gateway.expectRefusal(
                try await gateway.signIn(passkey: &copy), 401, "passkey_refused", action: "continue_sign_in")
            _ = try SignedInAnswer(try await gateway.signIn(passkey: &holder.key))
        }

        @Test("a removed passkey is refused")
        func removed() async throws {
            let gateway = try GatewayProcess.current
            var holder = try await gateway.passkeyHolder()
            let begun = try PendingAnswer(try await gateway.begin("passkey"))
            let removed = try await gateway.delete(
                "/v1/account/factors/\(holder.factor)", bearer: holder.session.accessToken)
            #expect(removed.status == 204)
            let assertion = try holder.key.assert(try #require(begun.step["passkey"]))
            try await gateway.expectRefusal(
                try await gateway.answer(begun.flow, ["credential": assertion]), 401, "passkey_refused",
                action: "continue_sign_in")
        }

        @Test("a disabled account's passkey is refused")
        func disabled() async throws {
            let gateway = try GatewayProcess.current
            var holder = try await gateway.passkeyHolder()
            #expect(try await gateway.deployment.accounts("disable", holder.account).exitCode == 0)
            try await gateway.expectRefusal(
                try await gateway.signIn(passkey: &holder.key), 401, "passkey_refused", action: "continue_sign_in")
        }

        @Test("a passkey is a second factor after a password, without a second user verification")
        func secondFactor() async throws {
            let gateway = try GatewayProcess.current
            let app = try await gateway.demandingClient()
            var holder = try await gateway.passkeyHolder()
            let stranger = try await gateway.passkeyHolder()
            let asked = try await gateway.passwordProved(holder.email, app: app)
            #expect(asked.type == "confirm_sign_in_with_passkey")
            let options = try #require(asked.step["passkey"])
            let allowed = (options["allowCredentials"]?.array ?? []).compactMap { $0["id"]?.string }
            #expect(allowed == [Base64URL.encode(holder.key.credentialID)])
            var foreign = stranger.key
            try await gateway.expectRefusal(
                try await gateway.answer(asked.flow, ["credential": try foreign.assert(options)]), 401,
                "passkey_refused",
                action: "continue_sign_in")
            holder.key.flags &= ~0x04
            let signedIn = try SignedInAnswer(
                try await gateway.answer(asked.flow, ["credential": try holder.key.assert(options)]))
            #expect(try signedIn.facts.amr == ["pwd", "pop", "mfa"] && signedIn.facts.acr == "2")
        }

        @Test("a passkey without user verification is one factor, and a protected account demands another")
        func unverified() async throws {
            let gateway = try GatewayProcess.current
            var holder = try await gateway.passkeyHolder()
            holder.key.flags &= ~0x04
            let weak = try SignedInAnswer(try await gateway.signIn(passkey: &holder.key))
            #expect(try weak.facts.amr == ["pop"] && weak.facts.acr == "1")
            let person = try await gateway.addingTOTP(
                ProtectedPerson(email: holder.email, account: holder.account, session: holder.session),
                bearer: holder.session.accessToken)
            let asked = try PendingAnswer(
                try await gateway.signIn(passkey: &holder.key), "confirm_sign_in_with_totp_code")
            #expect(!asked.choices.contains("passkey"))
            let strong = try SignedInAnswer(
                try await gateway.answer(asked.flow, ["code": .string(try await gateway.freshCode(person))]))
            #expect(try strong.facts.amr == ["pop", "otp", "mfa"] && strong.facts.acr == "2")
        }

        @Test("a name's passkey is requested without its id, and another account's is refused")
        func named() async throws {
            let gateway = try GatewayProcess.current
            var (holder, stranger) = (try await gateway.passkeyHolder(), try await gateway.passkeyHolder())
            let begun = try PendingAnswer(try await gateway.begin("password", holder.email))
            let asked = try PendingAnswer(
                try await gateway.answer(begun.flow, ["factor": "passkey"]), "confirm_sign_in_with_passkey")
            let options = try #require(asked.step["passkey"])
            #expect(options["allowCredentials"]?.array ?? [] == [])
            try await gateway.expectRefusal(
                try await gateway.answer(asked.flow, ["credential": try stranger.key.assert(options)]), 401,
                "passkey_refused",
                action: "continue_sign_in")
            #expect(
                try SignedInAnswer(try await gateway.answer(asked.flow, ["credential": try holder.key.assert(options)]))
                    .account
                    == holder.account)
        }

        @Test("a passkey is registered once, with the challenge of its set-up")
        func registration() async throws {
            let gateway = try GatewayProcess.current
            let holder = try await gateway.passkeyHolder()
            let bearer = holder.session.accessToken
            let (one, other) = (
                try PendingAnswer(try await gateway.post("/v1/account/factors", ["type": "passkey"], bearer: bearer)),
                try PendingAnswer(try await gateway.post("/v1/account/factors", ["type": "passkey"], bearer: bearer))
            )
            let excluded = (one.step["passkey"]?["excludeCredentials"]?.array ?? []).compactMap { $0["id"]?.string }
            #expect(excluded == [Base64URL.encode(holder.key.credentialID)])
            let foreign = try TestAuthenticator.making(try #require(other.step["passkey"]), origin: StepServer.origin)
            let wrong = try foreign.register(try #require(other.step["passkey"]))
            try await gateway.expectRefusal(
                try await gateway.confirmFactor(one.flow, ["credential": wrong], bearer: bearer), 401,
                "passkey_refused",
                action: "confirm_factor")
            let again = try holder.key.register(try #require(one.step["passkey"]))
            try await gateway.expectRefusal(
                try await gateway.confirmFactor(one.flow, ["credential": again], bearer: bearer), 409, "factor_exists",
                action: "confirm_factor")
            let added = try await gateway.confirmFactor(
                other.flow, ["credential": wrong, "name": "Key"], bearer: bearer)
            #expect(
                added.status == 201 && added.json["factor"]?["name"] == "Key" && added.json["recovery_codes"] == nil)
            #expect(try await gateway.audit(added).map(\.action) == ["factor_added"])
            #expect(try await gateway.audit(added).first?.reason == "passkey")
            let notices = try await gateway.count(
                """
                select count(*) from outbox where account_id::text = \(holder.account)
                   and kind = 'notice.passkey_added'
                """)
            #expect(notices == 2)
        }

        @Test(
            "an invalid credential is refused",
            arguments: [[:], ["credential": 1], ["credential": [:]], ["credential": "{"]] as [JSONObject])
        func shapes(response: JSONObject) async throws {
            let gateway = try GatewayProcess.current
            let begun = try PendingAnswer(try await gateway.begin("passkey"))
            let answer = try await gateway.answer(begun.flow, response)
            #expect(["invalid_request", "passkey_refused"].contains(answer.code) && answer.json["session"] == nil)
        }
    }
}

/// A user with a password and a passkey.
struct PasskeyHolder: Sendable {
    let email: String
    let account: String
    let session: SignedInAnswer
    var key: TestAuthenticator
    let factor: String
}

extension GatewayProcess {
    ///
    /// - Parameter flags: of the authenticator's data while the passkey is made; nil for those of a synced one.
    func passkeyHolder(signCount: UInt32 = 0, flags: UInt8? = nil) async throws -> PasskeyHolder {
        let email = Fresh.email()
        let session = try await signUp(email)
        let pending = try PendingAnswer(
            try await post("/v1/account/factors", ["type": "passkey"], bearer: session.accessToken),
            "continue_sign_in_with_passkey_setup")
        let options = try #require(pending.step["passkey"])
        var key = try TestAuthenticator.making(options, origin: StepServer.origin)
        key.signCount = signCount
        if let flags { key.flags = flags }
        let added = try await confirmFactor(
            pending.flow, ["credential": try key.register(options)], bearer: session.accessToken)
        try #require(added.status == 201, "\(added.text)")
        return PasskeyHolder(
            email: email, account: session.account, session: session, key: key,
            factor: try #require(added.json["factor"]?["id"]?.string))
    }

    /// A sign-in with the passkey alone.
    func signIn(passkey key: inout TestAuthenticator) async throws -> TestAnswer {
        let begun = try PendingAnswer(try await begin("passkey"))
        return try await answer(begun.flow, ["credential": try key.assert(try #require(begun.step["passkey"]))])
    }
}
