import JSON
import Testing

extension StockPartyTests {
    @Test("oidc-agent signs in by a code on a device and in the browser, refreshes and revokes; a user may decline")
    func oidcAgent() async throws {
        let port = try FreePort.choose()
        // It takes no account without a refresh token; it always asks for offline_access.
        let party = try await RelyingParty.register(
            ["device_flow": true, "refresh_tokens": "offline_access"], redirects: ["http://localhost:\(port)"])
        var driver = try PartyDriver.python(
            "oidc_agent_party.py", ["\(port)", party.issuer, party.id, party.secret ?? ""])
        let visitor = try await Visitor.arrive()

        try await visitor.enter(try await driver.line())
        try await visitor.answer("allow")
        let device = try await driver.json()
        #expect(device["claims"]?["iss"]?.string == party.issuer && device["claims"]?["aud"]?.string == party.id)
        #expect(device["info"]?["email"]?.string == visitor.email, "\(device.text)")
        #expect(device["refreshed"] == true && device["after"] == 401, "\(device.text)")

        // It sends prompt=consent. Its driver changes the state of our answer first, which it refuses.
        try await driver.send(visitor)
        let code = try await driver.json()
        #expect(code["claims"]?["sub"] == device["claims"]?["sub"])
        #expect(code["info"]?["email"]?.string == visitor.email, "\(code.text)")
        #expect(code["refreshed"] == true && code["after"] == 401, "\(code.text)")

        let declined = try await driver.line()
        try await visitor.browser.visit("/device")
        try await visitor.browser.submit("/device", ["user_code": declined])
        try await visitor.answer("decline")
        #expect(try await driver.line().hasPrefix("Error: access_denied"))
        await driver.expectGoodEnd()
    }
}
