import Foundation
import JSON
import Postgres
import TestSupport
import Testing

/// The pages of the device flow.
extension OpenIDTests {
    private static let on: JSONObject = ["device_flow": true]

    private static func state(_ party: RelyingParty) async throws -> String? {
        try await party.gateway.sql {
            try $0.queryOne("select state from device_requests where client_id = \(party.id)")?.value(0)
        }
    }

    @Test("GET never allows a device: the complete address only fills the field, after the sign-in")
    func filledField() async throws {
        let party = try await RelyingParty.register(Self.on)
        let device = try await TestDevice.start(party)
        let visitor = try await Visitor.arrive()
        let spelled = device.userCode.lowercased().replacing("-", with: "")
        try await visitor.signIn("/device?user_code=\(spelled)")
        let field = visitor.browser.page.forms.first { $0.action == "/device" }?.fields.first { $0.0 == "user_code" }
        #expect(field?.1 == device.userCode)
        #expect(visitor.browser.page.header("Referrer-Policy") == "no-referrer")
        try await visitor.browser.visit("/device/answer?decision=allow&user_code=\(device.userCode)")
        #expect(visitor.browser.page.status >= 400)
        #expect(try await Self.state(party) == "pending")
        #expect(try await device.poll().json["error"] == "authorization_pending")
    }

    @Test("A wrong, an expired and an answered code get the same answer, and guesses are throttled")
    func guesses() async throws {
        let party = try await RelyingParty.register(Self.on)
        let device = try await TestDevice.start(party)
        let visitor = try await Visitor.arrive()
        try await visitor.enter("BCDF-GHJK")
        let wrong = visitor.browser.page
        #expect(wrong.status == 400 && wrong.text.contains("No device is waiting with this code"))
        try await device.expire()
        try await visitor.browser.submit("/device", ["user_code": device.userCode])
        let expired = visitor.browser.page
        #expect(expired.status == 400 && expired.text.contains("No device is waiting with this code"))
        let live = try await TestDevice.start(party)
        for _ in 0..<19 { try await visitor.browser.submit("/device", ["user_code": "XXXX-XXXX"]) }
        #expect(visitor.browser.page.status == 429)
        // The right code is held back, too: the answer tells no guesser that it was right.
        try await visitor.browser.submit("/device", ["user_code": live.userCode])
        #expect(visitor.browser.page.status == 429)
        // Another user can still answer.
        let other = try await Visitor.arrive()
        try await other.enter(live.userCode)
        try await other.answer("allow")
        _ = try await live.tokens()
    }

    @Test("A form of another browser, of another account or without its token allows nothing")
    func forgedDevice() async throws {
        let party = try await RelyingParty.register(Self.on)
        let device = try await TestDevice.start(party)
        let (ann, eve) = (try await Visitor.arrive(), try await Visitor.arrive())
        try await eve.enter(device.userCode)
        let reference = try #require(try eve.question().fields.first { $0.0 == "r" })
        try await ann.enter(device.userCode)
        let form = try ann.question()
        let allow = [("decision", "allow")]
        for (browser, fields) in [
            (eve.browser, form.fields), (ann.browser, form.fields.filter { $0.0 != "form_token" }),
            // Eve's reference in Ann's form: Ann was asked something else.
            (ann.browser, form.fields.filter { $0.0 != "r" } + [reference]),
        ] {
            #expect(try await browser.post("/device/answer", fields + allow).status >= 400)
        }
        #expect(try await Self.state(party) == "pending")
        #expect(try await ann.browser.post("/device/answer", form.fields + allow).status == 200)
        // It counts once.
        #expect(try await ann.browser.post("/device/answer", form.fields + allow).status >= 400)
        #expect(try await device.tokens().claims["email"]?.string == ann.email)
    }

    @Test("Another maker's device gets what the user ticked, and loses it with the grant")
    func thirdPartyDevice() async throws {
        let party = try await RelyingParty.register(["device_flow": true, "third_party": true])
        let device = try await TestDevice.start(party, scope: "openid email profile")
        let visitor = try await Visitor.arrive()
        try await visitor.enter(device.userCode)
        let fields = try visitor.question().fields.filter { $0.0 != "scope_email" }
        // What the device did not ask for can't be added.
        try await visitor.browser.post(
            "/device/answer", fields + [("scope_phone", "1"), ("decision", "allow")])
        let tokens = try await device.tokens()
        #expect(tokens.json["scope"] == "openid profile" && tokens.claims["email"] == nil)
        let account = try #require(tokens.claims["sub"]?.string)
        let revoked: Bool? = try await party.gateway.sql {
            try $0.queryOne("select revoke_grant(\(account)::uuid, \(party.id), null, 'test')")?.value(0)
        }
        #expect(revoked == true)
        try await poll { try await party.userInfo(tokens.access).status == 401 ? () : nil }
    }

    @Test("An app that demands a second factor gets the session raised before the question")
    func strictDevice() async throws {
        let party = try await RelyingParty.register(Self.on)
        try await party.gateway.change("update clients set mfa = 'required' where id = \(party.id)")
        try await party.gateway.addClient("after-\(Fresh.text())", secret: nil)
        let device = try await TestDevice.start(party)
        let email = Fresh.email()
        let enrolling = try await party.gateway.signUp(email)
        let visitor = Visitor(email: email, browser: try await PageBrowser.open(party.gateway, "/health/live"))
        // The session of the browser has one factor: the account gets a second one afterwards.
        try await visitor.signIn("/device?user_code=\(device.userCode)")
        let person = try await party.gateway.addingTOTP(
            ProtectedPerson(email: email, account: enrolling.account, session: enrolling),
            bearer: enrolling.accessToken)
        try await visitor.browser.submit("/device")
        #expect(!visitor.browser.page.forms.contains { $0.action == "/device/answer" })
        try await visitor.browser.submit("/login/step", ["code": try await party.gateway.freshCode(person)])
        try await visitor.browser.submit("/device")
        try await visitor.answer("allow")
        let tokens = try await device.tokens()
        #expect(tokens.claims["acr"] == "2")
    }

    @Test("The session of the device has an audit row, and the answer another one")
    func deviceAudit() async throws {
        let party = try await RelyingParty.register(Self.on)
        let device = try await TestDevice.start(party)
        try await device.allowed()
        let tokens = try await device.tokens()
        let session = try #require(tokens.claims["sid"]?.string)
        let actions: [String] = try await party.gateway.sql {
            try $0.query(
                """
                select action from audit_events where session_id = \(session)::uuid and outcome = 'done' order by action
                """
            ).map { try $0.value(0) }
        }
        #expect(actions == ["app_signed_in", "device_answered", "handed_over"])
    }
}
