import JSON
import OperatorAccess
import Postgres
import Testing

/// The settings of an app as a relying party on the console.
@Suite("OpenID Connect of an app on the console", .gateway())
struct ConsoleOpenIDTests {
    private static let held = [
        ("name", "Wiki"), ("origins", ""), ("redirect_uris", ""), ("linking_policy", "both_verified"),
        ("second_factor", "optional"), ("access_token_seconds", "600"), ("refresh_idle_seconds", "2592000"),
        ("refresh_max_seconds", "7776000"),
    ]
    /// A form with these fields and no ticked box.
    private static let fields = [
        ("openid_id_token_algorithm", "RS256"), ("openid_refresh_tokens", "always"),
        ("openid_post_logout_redirect_uris", ""), ("openid_backchannel_logout_uri", ""),
    ]

    private static func makeClient(_ gateway: GatewayProcess) async throws -> String {
        let id = "w" + Fresh.text().lowercased().filter(\.isLetter)
        try await gateway.change("insert into clients (id, name) values (\(id), 'Wiki')")
        return id
    }

    private static func settings(_ gateway: GatewayProcess, _ id: String) async throws -> JSON {
        let text: String? = try await gateway.sql { connection in
            try connection.queryOne("select openid::text from clients where id = \(id)")?.value(0)
        }
        return try JSON(parsing: text ?? "")
    }

    @Test("an owner changes them, the page shows them, and a form without their fields leaves them")
    func change() async throws {
        let gateway = try GatewayProcess.current
        let id = try await Self.makeClient(gateway)
        let path = "/admin/clients/\(id)/change"
        let browser = try await ConsoleOperator.browser(gateway, .owner)
        let token = ("form_token", try await browser.token())
        let form = try HTMLDocument(Array(try await browser.visit(path).text.utf8))
        #expect(form.element(id: "openid_id_token_claims")?.attributes["checked"] != nil)
        #expect(form.element(id: "openid_third_party").map { $0.attributes["checked"] == nil } == true)
        let boxes = [("openid_id_token_claims", "1"), ("openid_third_party", "1")]
        let asked = try await browser.post(path, Self.held + Self.fields + boxes + [token])
        #expect(try asked.differences == ["OpenID Connect"])
        let done = try await browser.confirm("it belongs to a partner")
        #expect(done.text.contains("App of a third party: yes") && done.text.contains("Refresh tokens: every sign-in"))
        #expect(try await Self.settings(gateway, id) == ["third_party": true])
        #expect(try await browser.post(path, Self.held + [token]).status == 409, "without the fields")
        #expect(try await browser.post(path, Self.held + Self.fields + [token]).status == 200)
        _ = try await browser.confirm("the partner is ours now")
        #expect(try await Self.settings(gateway, id) == ["id_token_claims": false])
    }

    @Test("each invalid member is reported at its field, with the entries")
    func mistakes() async throws {
        let gateway = try GatewayProcess.current
        let id = try await Self.makeClient(gateway)
        let browser = try await ConsoleOperator.browser(gateway, .owner)
        let wrong = [
            ("openid_id_token_algorithm", "none"), ("openid_refresh_tokens", "never"),
            ("openid_scopes", "openid\r\nemial"),
            ("openid_post_logout_redirect_uris", "https://wiki.example.com/\r\nnowhere"),
            ("openid_backchannel_logout_uri", "org.example.app:/out"), ("openid_id_token_claims", "1"),
        ]
        let answer = try await browser.post(
            "/admin/clients/\(id)/change", Self.held + wrong + [("form_token", try await browser.token())])
        #expect(answer.status == 400)
        let document = try HTMLDocument(Array(answer.text.utf8))
        for (field, words) in [
            ("id_token_algorithm", "Choose another value."), ("refresh_tokens", "Choose another value."),
            ("scopes", "Enter one of these per line: openid, profile, email, phone, address, offline_access."),
            ("post_logout_redirect_uris", "Line 2 is not an address such as https://app.example.com/back"),
            ("backchannel_logout_uri", "Enter an address such as https://app.example.com/backchannel-logout"),
        ] { #expect(document.element(id: "wrong-openid_\(field)")?.text == words, "\(field)") }
        let report = document.element(id: "openid_backchannel_logout_uri")
        #expect(report?.attributes["value"] == "org.example.app:/out" && report?.attributes["aria-invalid"] == "true")
    }

    @Test("an admin may not change them")
    func trust() async throws {
        let gateway = try GatewayProcess.current
        let id = try await Self.makeClient(gateway)
        let browser = try await ConsoleOperator.browser(gateway, .admin)
        let boxes = [("openid_id_token_claims", "1"), ("openid_pkce_optional", "1")]
        let token = ("form_token", try await browser.token())
        let refused = try await browser.post(
            "/admin/clients/\(id)/change", Self.held + Self.fields + boxes + [token])
        #expect(refused.status == 403)
        #expect(try await gateway.audit(refused).map(\.action) == ["trust_client"])
        #expect(try await Self.settings(gateway, id) == [:])
    }
}
