import JSON
import Postgres
import Testing

extension StepTests {
    /// Devices that skip the second factor.
    @Suite("Remembered devices")
    struct RememberedDeviceTests {
        @Test("a remembered device skips the second factor for thirty days, and its session has one factor")
        func remembered() async throws {
            let gateway = try GatewayProcess.current
            let person = try await gateway.protectedPerson()
            let device = try #require(try await gateway.signIn(person, remember: true).device)
            let signedIn = try await again(person, device)
            #expect(try signedIn.facts.amr == ["pwd"] && signedIn.facts.acr == "1")
            #expect(signedIn.device == device, "The device keeps its mark.")
            let days = try await gateway.count(
                "select round(extract(epoch from expires_at - now()) / 86400)::int8 from remembered_devices where account_id = \(person.account)::uuid"
            )
            #expect(days == 30)
            try await gateway.change(
                "update remembered_devices set expires_at = now() where account_id = \(person.account)::uuid")
            _ = try PendingAnswer(try await passwordSignIn(person, device), "confirm_sign_in_with_totp_code")
        }

        @Test("the mark of a remembered device counts for each of the user's names")
        func otherName() async throws {
            let gateway = try GatewayProcess.current
            let person = try await gateway.protectedPerson()
            let name = "name-\(Fresh.text())"
            try await gateway.change(
                "update accounts set user_name = \(name), user_name_key = \(name) where id = \(person.account)::uuid")
            let device = try #require(try await gateway.signIn(person, remember: true).device)
            for name in [name, person.email] {
                let begun = try PendingAnswer(try await gateway.begin("password", name, device: device))
                _ = try await gateway.answer(begun.flow, ["factor": "password"], device: device)
                let signedIn = try SignedInAnswer(
                    try await gateway.answer(
                        begun.flow, ["password": .string(GatewayProcess.password)], device: device))
                #expect(signedIn.device == device)
            }
        }

        @Test("a device is remembered only on request, and only after two proved factors")
        func onlyOnRequest() async throws {
            let gateway = try GatewayProcess.current
            let person = try await gateway.protectedPerson()
            let device = try await gateway.signIn(person).device
            _ = try PendingAnswer(try await passwordSignIn(person, device))
            let email = Fresh.email()
            let plain = try await gateway.signUp(email)
            let begun = try PendingAnswer(try await gateway.begin("email_otp", email))
            let code = try await gateway.mailedCode(to: email, number: 2)
            _ = try SignedInAnswer(
                try await gateway.answer(begun.flow, ["code": .string(code), "remember_device": true]))
            #expect(
                try await gateway.count(
                    "select count(*) from remembered_devices where account_id = \(plain.account)::uuid") == 0)
        }

        @Test("an account's device mark doesn't count for another account, and a made-up mark for none")
        func otherAccount() async throws {
            let gateway = try GatewayProcess.current
            let (one, other) = (try await gateway.protectedPerson(), try await gateway.protectedPerson())
            let device = try #require(try await gateway.signIn(one, remember: true).device)
            let madeUp = "dt_" + String(repeating: "A", count: 43)
            for mark in [device, madeUp, "dt_", "nonsense"] {
                _ = try PendingAnswer(try await passwordSignIn(other, mark))
            }
            _ = try PendingAnswer(try await passwordSignIn(one, madeUp))
        }

        @Test("remembered devices end with the password", arguments: [true, false])
        func endsWithPassword(changed: Bool) async throws {
            let gateway = try GatewayProcess.current
            let person = try await gateway.protectedPerson()
            let signedIn = try await gateway.signIn(person, remember: true)
            let device = try #require(signedIn.device)
            let next = "another heron over the weir"
            if changed {
                let answer = try await gateway.post(
                    "/v1/password/change",
                    ["current_password": .string(GatewayProcess.password), "new_password": .string(next)],
                    bearer: signedIn.accessToken)
                #expect(answer.status == 204, "\(answer.text)")
            } else {
                let reset = try PendingAnswer(try await gateway.reset(try await gateway.forgot(person.email), to: next))
                _ = try SignedInAnswer(
                    try await gateway.answer(reset.flow, ["code": .string(try await gateway.freshCode(person))]))
            }
            let answer = try await gateway.signIn(
                "password", ["username": .string(person.email), "password": .string(next)], device: device)
            _ = try PendingAnswer(answer, "confirm_sign_in_with_totp_code")
        }

        @Test("a user sees the devices and removes one")
        func forgetting() async throws {
            let gateway = try GatewayProcess.current
            let person = try await gateway.protectedPerson()
            let signedIn = try await gateway.signIn(person, remember: true)
            let list = try await gateway.get("/v1/account/devices", bearer: signedIn.accessToken)
            let devices = try #require(list.json["devices"]?.array)
            #expect(devices.count == 1)
            let id = try #require(devices.first?["id"]?.string)
            let stranger = try await gateway.protectedPerson()
            #expect(
                try await gateway.delete("/v1/account/devices/\(id)", bearer: stranger.session.accessToken).status
                    == 404)
            let gone = try await gateway.delete("/v1/account/devices/\(id)", bearer: signedIn.accessToken)
            #expect(gone.status == 204)
            #expect(try await gateway.audit(gone).map(\.action) == ["device_forgotten"])
            #expect(try await gateway.delete("/v1/account/devices/\(id)", bearer: signedIn.accessToken).status == 404)
            _ = try PendingAnswer(try await passwordSignIn(person, signedIn.device))
        }

        @Test("a session of a remembered device changes no factors")
        func noChanges() async throws {
            let gateway = try GatewayProcess.current
            let person = try await gateway.protectedPerson()
            let device = try #require(try await gateway.signIn(person, remember: true).device)
            let weak = try await again(person, device)
            try await gateway.expectRefusal(
                try await gateway.delete("/v1/account/factors/\(person.factor)", bearer: weak.accessToken), 403,
                "step_up_required", action: "remove_factor")
        }

        @Test("S-17: a link proved on a remembered device demands the second factor, then links")
        func provesNoLink() async throws {
            let gateway = try GatewayProcess.current
            let person = try await gateway.protectedPerson()
            let device = try #require(try await gateway.signIn(person, remember: true).device)
            let link = try gateway.linkFlow(try await gateway.signIn("amazon", ["email": .string(person.email)]))
            let asked = try await gateway.post(
                "/v1/sign-in",
                [
                    "provider": "password", "client_id": "app", "link_flow": .string(link),
                    "credential": ["username": .string(person.email), "password": .string(GatewayProcess.password)],
                    "device": ["token": .string(device)],
                ])
            let pending = try PendingAnswer(asked, "confirm_sign_in_with_totp_code")
            #expect(try await gateway.identities(person.session) == [])
            let code = try await gateway.freshCode(person)
            let joined = try SignedInAnswer(
                try await gateway.answer(pending.flow, ["code": .string(code)], device: device))
            #expect(try joined.facts.acr == "2")
            #expect(try await gateway.identities(joined) == ["amazon"])
        }

        private func passwordSignIn(_ person: ProtectedPerson, _ device: String?) async throws -> TestAnswer {
            try await GatewayProcess.current.signIn(
                "password", ["username": .string(person.email), "password": .string(GatewayProcess.password)],
                device: device)
        }

        private func again(_ person: ProtectedPerson, _ device: String) async throws -> SignedInAnswer {
            try SignedInAnswer(try await passwordSignIn(person, device))
        }
    }
}
