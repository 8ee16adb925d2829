import Foundation
import JSON
import Testing

/// Modelled on those modules of the OpenID Foundation's dynamic plan that need no dynamic registration.
extension OpenIDTests {
    @Test("oidcc-ensure-redirect-uri-in-authorization-request: without one our page, and no address is called")
    func withoutRedirectAddress() async throws {
        let party = try await RelyingParty.register()
        let answer = try await party.gateway.get(party.request(["redirect_uri": nil]))
        #expect(answer.status == 400 && answer.header("Location") == nil)
        #expect(try targets(of: answer).allSatisfy { !$0.contains("rp.example") })
    }

    @Test("oidcc-redirect-uri-query-OK, -query-mismatch, -query-added: a registered query counts byte for byte")
    func addressWithQuery() async throws {
        let address = "https://rp.example/cb?foo=bar"
        let party = try await RelyingParty.register(redirects: [address])
        let browser = try await Visitor.arrive().signIn(party.request(["redirect_uri": address]))
        #expect(browser.departure?.hasPrefix(address + "&code=") == true)
        _ = try await party.tokens(browser, ["redirect_uri": address])
        for other in ["https://rp.example/cb", "https://rp.example/cb?foo=baz", address + "&more=1"] {
            let answer = try await party.gateway.get(party.request(["redirect_uri": other]))
            #expect(answer.status == 400 && answer.header("Location") == nil, "\(other)")
        }
    }
}
