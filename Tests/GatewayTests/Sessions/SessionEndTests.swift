import JSON
import TestSupport
import Testing

/// The ends of sessions, and their list.
extension SessionTests {
    @Test("an ended session's refusal has the reason, for both tokens of the session")
    func reasons() async throws {
        let gateway = try GatewayProcess.current
        let ends: [(String, (SignedInAnswer) async throws -> Void)] = [
            ("signed_out", { _ = try await gateway.signOut($0.accessToken) }),
            ("signed_out", { _ = try await gateway.signOut($0.accessToken, scope: "global") }),
            (
                "account_disabled",
                { _ = try await gateway.deployment.accounts("disable", $0.account) }
            ),
            (
                "ended_by_operator",
                {
                    _ = try await gateway.deployment.run(
                        "accounts", "end-sessions", $0.account, "--yes", "--reason", "a test")
                }
            ),
        ]
        for (reason, end) in ends {
            let person = try await gateway.anyone()
            try await end(person)
            let refused = try await poll {
                let answer = try await gateway.checkSession(person.accessToken)
                return answer.status == 401 ? answer : nil
            }
            #expect(refused.code == "session_ended" && refused.json["reason"]?.string == reason, "\(refused.text)")
            let refresh = try await gateway.refresh(person.refreshToken)
            #expect(refresh.code == "session_ended" && refresh.json["reason"]?.string == reason, "\(refresh.text)")
        }
    }

    @Test("a local sign-out ends this session and no other")
    func localSignOut() async throws {
        let gateway = try GatewayProcess.current
        let (phone, tablet) = try await gateway.twoDevices()
        let answer = try await gateway.signOut(phone.accessToken)
        #expect(answer.status == 204)
        try await gateway.expectEnded(phone.accessToken, [phone.refreshToken])
        #expect(try await gateway.checkSession(tablet.accessToken).status == 200)
        #expect(try await gateway.refresh(tablet.refreshToken).status == 200)
        let row = try #require(try await gateway.audit(answer).first)
        #expect([row.action, row.outcome, row.reason] == ["session_ended", "done", "signed_out"])
        #expect(row.session == phone.session)
        // A second sign-out is refused like any ended session.
        try await gateway.expectRefusal(
            try await gateway.signOut(phone.accessToken), 401, "session_ended", action: "sign_out")
    }

    @Test("a global sign-out ends every session of the account and no other")
    func globalSignOut() async throws {
        let gateway = try GatewayProcess.current
        let (phone, tablet) = try await gateway.twoDevices()
        let other = try await gateway.anyone()
        let bad = try await gateway.signOut(phone.accessToken, scope: "universe")
        try await gateway.expectRefusal(bad, 400, "invalid_request", action: "sign_out")
        #expect(bad.json["errors"]?.array?.first?["pointer"] == "/scope")
        let answer = try await gateway.signOut(phone.accessToken, scope: "global")
        #expect(answer.status == 204)
        try await gateway.expectEnded(phone.accessToken, [phone.refreshToken])
        try await gateway.expectEnded(tablet.accessToken, [tablet.refreshToken])
        #expect(try await gateway.checkSession(other.accessToken).status == 200)
        let row = try #require(try await gateway.audit(answer).first)
        #expect([row.action, row.outcome, row.reason] == ["session_ended", "done", "signed_out_everywhere"])
        #expect(row.detail == ["sessions": 2])
    }

    @Test("S-08: a disabled account's sessions end, and enabling restores none")
    func disabled() async throws {
        let gateway = try GatewayProcess.current
        let subject = JSON.string(Fresh.subject("apple"))
        let person = try await gateway.session("apple", ["subject": subject])
        #expect(try await gateway.checkSession(person.accessToken).status == 200)
        let command = try await gateway.deployment.accounts("disable", person.account)
        #expect(command.exitCode == 0, "\(command.errors)")

        let refresh = try await gateway.refresh(person.refreshToken)
        try await gateway.expectRefusal(refresh, 401, "session_ended", action: "refresh")
        _ = try await poll { try await gateway.checkSession(person.accessToken).status == 401 ? () : nil }
        try await gateway.expectRefusal(
            try await gateway.signIn("apple", ["subject": subject]), 403, "account_disabled", provider: "apple")
        let rows = try await gateway.audit(account: person.account)
        let row = try #require(rows.first { $0.action == "account_disabled" })
        #expect(row.outcome == "done")
        #expect(row.reason == "operator")
        #expect(row.words == "a test")

        #expect(try await gateway.deployment.accounts("enable", person.account).exitCode == 0)
        try await gateway.expectEnded(person.accessToken, [person.refreshToken])
        #expect(try await gateway.session("apple", ["subject": subject]).account == person.account)
        // A repeated change is refused.
        #expect(try await gateway.deployment.accounts("enable", person.account).exitCode == 1)
    }

    @Test("the list shows every device and marks the current one")
    func list() async throws {
        let gateway = try GatewayProcess.current
        let (phone, tablet) = try await gateway.twoDevices()
        let answer = try await gateway.get("/v1/account/sessions", bearer: phone.accessToken)
        #expect(answer.status == 200)
        let sessions = try #require(answer.json["sessions"]?.array)
        #expect(Set(sessions.compactMap { $0["id"]?.string }) == [phone.session, tablet.session])
        let mine = try #require(sessions.first { $0["id"]?.string == phone.session })
        #expect(mine["current"] == true)
        #expect(mine["device_name"] == "Ann's phone")
        #expect(mine["client_id"] == "app")
        #expect(sessions.first { $0["id"]?.string == tablet.session }?["current"] == false)
        // An ended session is not shown.
        #expect(try await gateway.signOut(tablet.accessToken).status == 204)
        let rest = try await gateway.get("/v1/account/sessions", bearer: phone.accessToken)
        #expect(rest.json["sessions"]?.array?.compactMap { $0["id"]?.string } == [phone.session])
    }

    @Test("one device ends another's session, but never another user's")
    func endOther() async throws {
        let gateway = try GatewayProcess.current
        let (phone, tablet) = try await gateway.twoDevices()
        let stranger = try await gateway.anyone()
        for id in [stranger.session, "0192f000-0000-7000-8000-000000000000", "nonsense"] {
            try await gateway.expectRefusal(
                try await gateway.delete("/v1/account/sessions/\(id)", bearer: phone.accessToken), 404, "not_found",
                action: "end_session")
        }
        #expect(try await gateway.checkSession(stranger.accessToken).status == 200)
        let answer = try await gateway.delete("/v1/account/sessions/\(tablet.session)", bearer: phone.accessToken)
        #expect(answer.status == 204)
        try await gateway.expectEnded(tablet.accessToken, [tablet.refreshToken])
        #expect(try await gateway.checkSession(phone.accessToken).status == 200)
        let row = try #require(try await gateway.audit(answer).first)
        #expect([row.action, row.reason] == ["session_ended", "ended_by_owner"])
        #expect(row.session == tablet.session)
        #expect(row.account == phone.account)
        let again = try await gateway.delete("/v1/account/sessions/\(tablet.session)", bearer: phone.accessToken)
        #expect(again.status == 404)
    }
}

extension GatewayProcess {
    /// One user, signed in twice.
    fileprivate func twoDevices() async throws -> (phone: SignedInAnswer, tablet: SignedInAnswer) {
        let subject = JSON.string(Fresh.subject("apple"))
        let minted = try await simulator.mint("apple", ["subject": subject])
        let phone = try await post(
            "/v1/sign-in",
            [
                "provider": "apple", "client_id": "app", "credential": .object(minted.credential()),
                "device": ["name": "Ann's phone"],
            ])
        return (try SignedInAnswer(phone), try await session("apple", ["subject": subject]))
    }
}
