import JSON
import Testing

extension StockPartyTests {
    @Test("idpyoidc signs in, verifies, asks UserInfo, refreshes and signs out; another issuer and state it refuses")
    func idpyoidc() async throws {
        let bye = "https://rp.example/bye"
        let party = try await RelyingParty.register(["post_logout_redirect_uris": [.string(bye)]])
        var driver = try PartyDriver.python(
            "idpyoidc_party.py", [party.issuer, party.id, party.secret ?? "", RelyingParty.address, bye],
            packages: "idpyoidc")
        let visitor = try await Visitor.arrive()
        // Its driver gives it the first answer with another issuer, and with another state.
        for _ in 0..<2 { try await driver.send(visitor) }
        let result = try await driver.json()
        #expect(result["claims"]?["iss"]?.string == party.issuer, "\(result.text)")
        for source in ["claims", "info"] { #expect(result[source]?["email"]?.string == visitor.email) }
        #expect(result["refreshed"] == true)
        #expect(result["refused"] == ["VerificationError: Issuer mismatch", "KeyError: 'Unknown state value'"])
        // Its sign-out has a state, which comes back.
        #expect(try await visitor.follow(try await driver.line()).hasPrefix("\(bye)?state="))
        let silent = try await visitor.browser.visit(party.request(["prompt": "none"]))
        #expect(silent.header("Location")?.contains("error=login_required") == true)
        await driver.expectGoodEnd()
    }
}
