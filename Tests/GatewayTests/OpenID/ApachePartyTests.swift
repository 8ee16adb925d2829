import JSON
import Testing

extension StockPartyTests {
    @Test(
        "mod_auth_openidc signs in, verifies, refreshes and signs out, and takes a sign-out from us; other answers not",
        arguments: [false, true])
    func apache(provesKey: Bool) async throws {
        let port = try FreePort.choose()
        let (home, callback) = ("http://localhost:\(port)", "http://localhost:\(port)/openid/callback")
        let party = try await RelyingParty.register(
            [
                // Without OIDCPKCEMethod it sends no proof key.
                "pkce_optional": .bool(!provesKey),
                "post_logout_redirect_uris": [.string("\(home)/bye.html")],
                "backchannel_logout_uri": .string("\(callback)?logout=backchannel"),
            ], redirects: [callback])
        var driver = try PartyDriver.python(
            "mod_auth_openidc_party.py",
            ["\(port)", party.issuer, party.id, party.secret ?? ""] + (provesKey ? ["pkce"] : []))
        let visitor = try await Visitor.arrive()
        // It gives Apache the first answer with another issuer, and the second one with another state.
        for _ in 0..<3 { try await driver.send(visitor) }
        let known = try await driver.json()
        let subject = try #require(known["claims"]?["sub"]?.string, "\(known.text)")
        #expect(known["page"] == 200 && known["user"]?.string == "\(subject)@\(party.issuer)", "\(known.text)")
        #expect(known["email"]?.string == visitor.email && known["info"]?["email"]?.string == visitor.email)
        #expect(known["claims"]?["iss"]?.string == party.issuer && known["claims"]?["aud"]?.string == party.id)
        #expect(known["refreshed"] == true)

        // The sign-out of Apache: by its hint, though it has revoked its tokens before.
        try await driver.send(visitor)
        #expect(visitor.browser.departure == "\(home)/bye.html")

        // Our sign-out, which Apache gets as a logout token.
        try await driver.send(visitor)
        #expect(try await driver.line() == "in")
        try await visitor.browser.visit("/account")
        try await visitor.browser.submit("/logout")
        #expect(try await driver.line() == "out")
        await driver.expectGoodEnd()
    }
}
