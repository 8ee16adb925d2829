import Foundation
import JSON
import Postgres
import Testing

/// The device flow (RFC 8628): requests, polls, and the session of the device.
extension OpenIDTests {
    private static let on: JSONObject = ["device_flow": true]

    @Test("A device gets two codes, addresses and a picture; the metadata names the endpoint and the grant")
    func deviceCodes() async throws {
        let party = try await RelyingParty.register(Self.on)
        let answer = try await TestDevice.request(party, scope: "openid")
        #expect(answer.status == 200 && answer.header("Cache-Control") == "no-store")
        let code = try #require(answer.json["user_code"]?.string)
        #expect(try #/[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}/#.wholeMatch(in: code) != nil)
        let metadata = try await party.gateway.get("/.well-known/openid-configuration").json
        let issuer = try #require(metadata["issuer"]?.string)
        #expect(answer.json["verification_uri"]?.string == issuer + "/device")
        #expect(answer.json["verification_uri_complete"]?.string == issuer + "/device?user_code=" + code)
        #expect(answer.json["expires_in"] == 600 && answer.json["interval"] == 5)
        #expect(metadata["device_authorization_endpoint"]?.string == issuer + "/v1/device_authorization")
        #expect(metadata["grant_types_supported"]?.array?.contains(.string(TestDevice.grantType)) == true)
        let picture = try #require(answer.json["verification_qr_uri"]?.string)
        let svg = try await party.gateway.get(picture.replacing(issuer, with: ""))
        #expect(svg.status == 200 && svg.header("Content-Type") == "image/svg+xml" && svg.text.hasPrefix("<svg "))
        #expect(try await party.gateway.get("/device/qr.svg?user_code=AEIO-UAEI").status == 400)
    }

    @Test("Pending, then allowed: the device gets a session of its own once, with the scopes that it asked for")
    func allowedDevice() async throws {
        let party = try await RelyingParty.register(Self.on)
        let device = try await TestDevice.start(party)
        #expect(try await device.poll().json["error"] == "authorization_pending")
        let visitor = try await Visitor.arrive()
        try await visitor.enter(device.userCode)
        let page = visitor.browser.page.text
        #expect(page.contains("A test") && page.contains(device.userCode) && page.contains("Chrome, Android"))
        try await visitor.answer("allow")
        let tokens = try await device.tokens()
        #expect(tokens.claims["email"]?.string == visitor.email && tokens.claims["acr"] == "1")
        #expect(tokens.claims["amr"] == ["pwd"] && tokens.claims["aud"]?.string == party.id)
        #expect(tokens.json["scope"] == "openid email offline_access" && !tokens.refresh.isEmpty)
        let spent = try await device.poll()
        #expect(spent.status == 400 && spent.json["error"] == "invalid_grant")
        // The second use did not end the session, which is on the account page under the name of the device.
        #expect(try await party.userInfo(tokens.access).status == 200)
        try await visitor.browser.visit("/account/devices")
        #expect(visitor.browser.page.text.contains("Chrome, Android"))
        let refreshed = try await party.gateway.form(
            "/v1/token", [("grant_type", "refresh_token"), ("refresh_token", tokens.refresh)], client: party.id,
            secret: party.secret)
        #expect(refreshed.status == 200 && refreshed.json["scope"] == "openid email offline_access")
    }

    @Test("With offline_access the session of the device outlives that of the browser, without it it does not")
    func deviceOutlives() async throws {
        let party = try await RelyingParty.register(Self.on)
        for (scope, status) in [("openid offline_access", 200), ("openid", 401)] {
            let device = try await TestDevice.start(party, scope: scope)
            let visitor = try await device.allowed()
            let tokens = try await device.tokens()
            try await visitor.browser.visit("/account")
            try await visitor.browser.submit("/logout")
            #expect(try await party.userInfo(tokens.access).status == status, "\(scope)")
        }
    }

    @Test("A device that polls too fast must slow down by five seconds for good")
    func slowDown() async throws {
        let party = try await RelyingParty.register(Self.on)
        let device = try await TestDevice.start(party)
        #expect(try await device.poll().json["error"] == "authorization_pending")
        for interval in [10, 15] {
            // Too soon, however slow this computer is.
            try await device.wait(-60)
            #expect(try await device.poll().json["error"] == "slow_down")
            #expect(try await device.interval() == interval)
        }
        try await device.wait(15)
        #expect(try await device.poll().json["error"] == "authorization_pending")
        // An answer is not held back.
        try await device.allowed()
        _ = try await device.tokens()
    }

    @Test("Two polls at once give one set of tokens, which goes on")
    func pollsAtOnce() async throws {
        let party = try await RelyingParty.register(Self.on)
        let device = try await TestDevice.start(party)
        try await device.allowed()
        let answers = try await withThrowingTaskGroup(of: TestAnswer.self) { group in
            for _ in 0..<6 { group.addTask { try await device.poll() } }
            return try await group.reduce(into: [TestAnswer]()) { $0.append($1) }
        }
        let granted = answers.filter { $0.status == 200 }
        #expect(granted.count == 1)
        #expect(answers.filter { $0.status == 400 && $0.json["error"] == "invalid_grant" }.count == 5)
        let access = try #require(granted.first?.json["access_token"]?.string)
        #expect(try await party.userInfo(access).status == 200)
    }

    @Test("A declined and an expired request say so; a code of another client, and an invented one, are invalid")
    func deviceRefusals() async throws {
        let (party, other) = (try await RelyingParty.register(Self.on), try await RelyingParty.register(Self.on))
        let declined = try await TestDevice.start(party)
        let visitor = try await Visitor.arrive()
        try await visitor.enter(declined.userCode)
        let form = try visitor.question()
        try await visitor.answer("decline")
        for _ in 0..<2 {
            let answer = try await declined.poll()
            #expect(answer.status == 400 && answer.json["error"] == "access_denied")
        }
        // A declined request can't be allowed any more.
        #expect(try await visitor.browser.post("/device/answer", form.fields + [("decision", "allow")]).status >= 400)

        let device = try await TestDevice.start(other)
        #expect(try await device.poll(as: party).json["error"] == "invalid_grant")
        let changed = String(device.deviceCode.dropLast()) + (device.deviceCode.hasSuffix("A") ? "B" : "A")
        #expect(try await device.poll(code: changed).json["error"] == "invalid_grant")
        #expect(try await device.poll(code: "dc_AAAA").json["error"] == "invalid_grant")
        #expect(try await device.poll().json["error"] == "authorization_pending", "the foreign poll had no effect")
        try await device.expire()
        let late = try await device.poll()
        #expect(late.status == 400 && late.json["error"] == "expired_token")
    }

    @Test("A client that is not allowed to use the device flow, or does not prove itself, gets nothing")
    func deviceClients() async throws {
        let party = try await RelyingParty.register()
        let plain = try await TestDevice.request(party, scope: "openid")
        #expect(plain.status == 400 && plain.json["error"] == "unauthorized_client")
        let poll = try await TestDevice(party: party, asked: [:]).poll(code: "dc_AAAA")
        #expect(poll.status == 400 && poll.json["error"] == "unauthorized_client")
        let open = try await RelyingParty.register(Self.on)
        let unproved = RelyingParty(gateway: open.gateway, id: open.id, secret: "wrong")
        let refused = try await TestDevice.request(unproved, scope: "openid")
        #expect(refused.status == 401 && refused.json["error"] == "invalid_client")
        #expect(try await TestDevice.request(open, scope: "nonsense").json["error"] == "invalid_scope")
        // Administration is never opened so.
        try await open.gateway.change("update clients set audiences = '{administration}' where id = \(open.id)")
        try await open.gateway.addClient("after-\(Fresh.text())", secret: nil)
        #expect(try await TestDevice.request(open, scope: "openid").json["error"] == "unauthorized_client")
    }

    @Test("A public app without openid gets an access token alone; a refresh token follows the client's rule")
    func plainDevice() async throws {
        let party = try await RelyingParty.register(
            ["device_flow": true, "refresh_tokens": "offline_access"], isPublic: true)
        let device = try await TestDevice.start(party, scope: "openid")
        let visitor = try await device.allowed()
        let tokens = try await device.tokens()
        #expect(tokens.json["scope"] == "openid" && tokens.json["refresh_token"] == nil)
        let answer = try await TestDevice.request(party, scope: nil)
        let bare = TestDevice(party: party, asked: answer.json)
        try await visitor.browser.visit("/device?user_code=\(bare.userCode)")
        try await visitor.browser.submit("/device")
        try await visitor.answer("allow")
        let plain = try await bare.tokens()
        #expect(plain.json["id_token"] == nil && plain.json["scope"] == nil)
        // A live token without the scope openid.
        #expect(try await party.userInfo(plain.access).status == 403)
    }
}
