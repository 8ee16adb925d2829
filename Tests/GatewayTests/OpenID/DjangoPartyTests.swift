import JSON
import Testing

extension StockPartyTests {
    @Test(
        "django-allauth signs in a user twice as one account; an answer with another state it refuses",
        arguments: [false, true])
    func djangoAllauth(provesKey: Bool) async throws {
        // Without OAUTH_PKCE_ENABLED it sends no proof key.
        let party = try await RelyingParty.register(
            ["pkce_optional": .bool(!provesKey)],
            redirects: ["http://localhost/accounts/oidc/gateway/login/callback/"])
        var driver = try PartyDriver.python(
            "django_allauth_party.py", [party.issuer, party.id, party.secret ?? "", provesKey ? "True" : "False"],
            packages: "allauth")
        let visitor = try await Visitor.arrive()
        for _ in 0..<3 { try await driver.send(visitor) }
        let known = try await driver.json()
        #expect(known["uid"] != nil && known["uid"] == known["claims"]?["sub"] && known["uid"] == known["info"]?["sub"])
        #expect(known["claims"]?["iss"]?.string == party.issuer && known["claims"]?["aud"]?.string == party.id)
        let isProved = known["info"]?["email_verified"] == true
        #expect(known["email"]?.string == visitor.email && known["verified"]?.bool == isProved, "\(known.text)")
        #expect(known["refreshable"] == true)
        await driver.expectGoodEnd()
    }
}
