import Foundation
import JSON
import Testing

/// Modelled on the form post plan: the basic modules whose answer reaches the app, with `response_mode=form_post`.
extension OpenIDTests {
    private static let state = String(repeating: "s", count: 128)

    private static func asked(_ changes: [String: String?] = [:]) -> [String: String?] {
        ["response_mode": "form_post", "state": state].merging(changes) { _, new in new }
    }

    /// The fields of the page that posts itself to the app; nothing else carries them.
    private static func posted(_ answer: TestAnswer) throws -> [String: String] {
        #expect(answer.status == 200 && answer.header("Location") == nil)
        let form = try #require(answer.forms.first { $0.action == RelyingParty.address }, "\(answer.text)")
        return Dictionary(form.fields) { first, _ in first }
    }

    @Test(
        "form post: oidcc-server, -prompt-none-logged-in, -id-token-hint, -max-age-10000, -without-nonce, by GET and POST"
    )
    func postedCodes() async throws {
        let party = try await RelyingParty.register()
        let visitor = try await Visitor.arrive()
        let browser = try await visitor.signIn(party.request(Self.asked()))
        func tokens() async throws -> TokenAnswer {
            let fields = try Self.posted(browser.page)
            #expect(Set(fields.keys) == ["code", "iss", "state"] && fields["state"] == Self.state)
            let answer = try await party.redeem(try #require(fields["code"]))
            return TokenAnswer(json: answer.json, claims: try await party.gateway.idClaims(answer.json))
        }
        let first = try await tokens()
        for changes: [String: String?] in [
            ["prompt": "none"], ["prompt": "none", "id_token_hint": first.idToken], ["max_age": "10000"],
            ["nonce": nil], ["acr_values": "1"],
        ] {
            try await browser.visit(party.request(Self.asked(changes)))
            let next = try await tokens()
            for name in ["sub", "auth_time"] { #expect(next.claims[name] == first.claims[name], "\(changes)") }
        }
        try await browser.post("/authorize", party.parameters(Self.asked()))
        #expect(try await tokens().claims["sub"] == first.claims["sub"])
    }

    @Test(
        "form post: oidcc-response-type-missing, -prompt-none-not-logged-in and other faults come as a form",
        arguments: [
            (["response_type": nil], "invalid_request"), (["response_type": "token"], "unsupported_response_type"),
            (["prompt": "none"], "login_required"), (["scope": "nonsense"], "invalid_scope"),
            (["request": "x.y.z"], "request_not_supported"),
            (["request_uri": "https://rp.example/request.jwt"], "request_uri_not_supported"),
        ] as [([String: String?], String)])
    func postedFaults(changes: [String: String?], error: String) async throws {
        let party = try await RelyingParty.register()
        let fields = try Self.posted(try await party.gateway.get(party.request(Self.asked(changes))))
        #expect(Set(fields.keys) == ["error", "error_description", "iss", "state"])
        #expect(fields["error"] == error && fields["state"] == Self.state)
    }

    @Test("form post: oidcc-ensure-registered-redirect-uri: our page, and no form to the address")
    func postedNowhere() async throws {
        let party = try await RelyingParty.register()
        for uri in [RelyingParty.address + "/more", "https://evil.example/cb"] {
            let answer = try await party.gateway.get(party.request(Self.asked(["redirect_uri": uri])))
            let targets = try targets(of: answer)
            #expect(answer.status == 400 && targets.allSatisfy { !$0.contains(uri) })
        }
    }
}
