import Foundation
import JSON
import TestSupport
import Testing

/// Modelled on the form post plan and the configuration plan of the OpenID Foundation.
extension OpenIDTests {
    @Test("oidcc-discovery-endpoint-verification: both addresses, the issuer, RS256, openid, and no private key")
    func discovery() async throws {
        let gateway = try GatewayProcess.current
        let answer = try await gateway.get("/.well-known/openid-configuration")
        let json = answer.json
        #expect(answer.status == 200 && answer.header("Content-Type") == "application/json")
        // Other tests add scopes of resources between two requests.
        try await poll {
            let pair = try await [
                gateway.get("/.well-known/oauth-authorization-server"),
                gateway.get("/.well-known/openid-configuration"),
            ]
            return pair[0].json == pair[1].json ? () : nil
        }
        func texts(_ name: String) -> [String] { (json[name]?.array ?? []).compactMap(\.string) }
        #expect(texts("id_token_signing_alg_values_supported").contains("RS256"))
        #expect(texts("scopes_supported").contains("openid") && texts("response_types_supported") == ["code"])
        #expect(texts("code_challenge_methods_supported") == ["S256"])
        #expect(json["request_uri_parameter_supported"] == false && json["request_parameter_supported"] == false)
        let issuer = try #require(json["issuer"]?.string)
        for name in [
            "authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri", "end_session_endpoint",
        ] {
            #expect(json[name]?.string?.hasPrefix(issuer + "/") == true, "\(name)")
        }
        let keys = try #require(try await gateway.get("/.well-known/jwks.json").json["keys"]?.array)
        #expect(Set(keys.compactMap { $0["alg"]?.string }) == ["ES256", "RS256"])
        #expect(Set(keys.compactMap { $0["kid"]?.string }).count == keys.count)
        #expect(keys.allSatisfy { $0["use"] == "sig" && $0["d"] == nil && $0["p"] == nil && $0["k"] == nil })
    }

    @Test(
        "Metadata, keys and UserInfo are readable by any page, without credentials",
        arguments: [
            "/.well-known/openid-configuration", "/.well-known/jwks.json", "/userinfo",
            "/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/v1/account",
        ])
    func crossOrigin(path: String) async throws {
        let gateway = try GatewayProcess.current
        let request = TestRequest("GET", path).header("Origin", "https://anyone.example")
        let answer = try await gateway.send(request)
        #expect(answer.header("Access-Control-Allow-Origin") == "*")
        #expect(answer.header("Access-Control-Allow-Credentials") == nil)
        let preflight = try await gateway.send(
            TestRequest("OPTIONS", path).header("Origin", "https://anyone.example")
                .header("Access-Control-Request-Method", "GET")
                .header("Access-Control-Request-Headers", "authorization, mcp-protocol-version"))
        #expect(preflight.status == 204)
        #expect(preflight.header("Access-Control-Allow-Headers") == "authorization, mcp-protocol-version")
        let authorize = try await gateway.send(
            TestRequest("GET", "/authorize").header("Origin", "https://anyone.example"))
        #expect(authorize.header("Access-Control-Allow-Origin") == nil)
    }

    @Test("form_post: a form of the page carries the answer and nothing else does")
    func formPost() async throws {
        let party = try await RelyingParty.register()
        let browser = try await Visitor.arrive().signIn(party.request(["response_mode": "form_post"]))
        #expect(browser.page.status == 200 && browser.departure == nil)
        let form = try #require(browser.page.forms.first)
        #expect(form.action == RelyingParty.address && Set(form.fields.map(\.0)) == ["code", "iss", "state"])
        #expect(browser.page.header("Cache-Control") == "no-store")
        #expect(
            browser.page.header("Content-Security-Policy")?.contains("form-action 'self' https://rp.example") == true)
        let code = try #require(form.fields.first { $0.0 == "code" }?.1)
        #expect(try await party.redeem(code).status == 200)
        let fault = try await party.gateway.get(party.request(["response_mode": "form_post", "prompt": "none"]))
        #expect(fault.forms.first?.fields.contains { $0 == ("error", "login_required") } == true)
    }
}
