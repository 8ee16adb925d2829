import JSON
import OperatorAccess
import Postgres
import Testing

@Suite("Access keys of back ends", .gateway())
struct AccessKeyTests {
    private static func client(_ gateway: GatewayProcess) async throws -> String {
        let id = "keys-\(Fresh.text())"
        try await gateway.change(
            "insert into clients (id, name, providers) values (\(id), 'Keys', '{password}')")
        return id
    }

    @Test("an owner issues a key by the API, sees its secret once, and revokes it once")
    func api() async throws {
        let gateway = try GatewayProcess.current
        let owner = try await gateway.operatorSession("owner")
        let path = "clients/\(try await Self.client(gateway))/access-keys"
        for role in ["owner", "boss", ""] {
            let refused = try await gateway.admin(
                "POST", path, ["role": .string(role), "reason": "a test"], by: owner)
            try await gateway.expectRefusal(refused, 400, "invalid_request", action: "change_access_keys")
            #expect(refused.json["errors"]?.array?.first?["pointer"] == "/role")
        }
        let made = try await gateway.admin("POST", path, ["role": "support", "reason": "a test"], by: owner)
        let key = try #require(made.json["id"]?.string)
        let secret = try #require(made.json["key"]?.string?.dropFirst("ak_\(key)".count))
        #expect(made.status == 201 && secret.utf8.count == 40)
        // Without Amazon Cognito's API no call has a signature.
        #expect(made.json["secret"] == .null)
        #expect(try await gateway.audit(made).map(\.action) == ["access_key_issued"])
        let listed = try await gateway.admin("GET", path, by: owner)
        let entry = try #require(listed.json["access_keys"]?.array?.first)
        #expect(entry["id"]?.string == key && entry["role"] == "support" && entry["revoked_at"] == .null)
        #expect(!listed.text.contains(secret))
        let revoked = try await gateway.admin("DELETE", "\(path)/\(key)", ["reason": "a test"], by: owner)
        #expect(revoked.status == 204)
        #expect(try await gateway.audit(revoked).map(\.action) == ["access_key_revoked"])
        let again = try await gateway.admin("DELETE", "\(path)/\(key)", ["reason": "a test"], by: owner)
        try await gateway.expectRefusal(again, 409, "nothing_to_change", action: "change_access_keys")
        let other = try await Self.client(gateway)
        let wrong = try await gateway.admin(
            "DELETE", "clients/\(other)/access-keys/\(key)", ["reason": "a test"], by: owner)
        try await gateway.expectRefusal(wrong, 404, "not_found", action: "change_access_keys")
    }

    @Test("a disabled app gets no key")
    func disabledApp() async throws {
        let gateway = try GatewayProcess.current
        let owner = try await gateway.operatorSession("owner")
        let id = try await Self.client(gateway)
        try await gateway.change("update clients set disabled_at = now() where id = \(id)")
        let refused = try await gateway.admin(
            "POST", "clients/\(id)/access-keys", ["role": "viewer", "reason": "a test"], by: owner)
        try await gateway.expectRefusal(refused, 400, "invalid_request", action: "change_access_keys")
        #expect(refused.json["errors"]?.array?.first?["pointer"] == "/client")
    }

    @Test("only an owner issues keys")
    func role() async throws {
        let gateway = try GatewayProcess.current
        let admin = try await gateway.operatorSession("admin")
        let path = "clients/\(try await Self.client(gateway))/access-keys"
        let refused = try await gateway.admin("POST", path, ["role": "viewer", "reason": "a test"], by: admin)
        try await gateway.expectRefusal(refused, 403, "role_too_low", action: "change_access_keys")
        #expect(try await gateway.admin("GET", path, by: admin).json == ["access_keys": []])
    }

    @Test("the console issues a key, shows its secret once, and revokes it after a reason")
    func console() async throws {
        let gateway = try GatewayProcess.current
        let path = "/admin/clients/\(try await Self.client(gateway))/access-keys"
        let browser = try await ConsoleOperator.browser(gateway, .owner)
        let form = try HTMLDocument(Array(try await browser.visit(path).text.utf8))
        let once = try #require(form.elements.first { $0.attributes["name"] == "once" }?.attributes["value"])
        let fields = [
            ("form_token", try await browser.token()), ("once", once), ("role", "admin"),
            ("networks", "127.0.0.1\n::1"), ("expires", "90"),
        ]
        #expect(try await browser.post(path, fields + [("reason", "")]).status == 400)
        let made = try await browser.post(path, fields + [("reason", "the back end of the shop")])
        let document = try HTMLDocument(Array(made.text.utf8))
        let key = try #require(document.element(id: "key-id")?.text)
        #expect(document.element(id: "key")?.text.hasPrefix("ak_\(key)") == true)
        #expect(document.element(id: "secret") == nil)
        // The form counts once: a reload issues no other key.
        #expect(try await browser.post(path, fields + [("reason", "the back end of the shop")]).status != 200)
        #expect(
            try await gateway.count(
                "select count(*) from access_keys where id = \(key) and role = 'admin' and networks = '{127.0.0.1,::1}'"
            ) == 1)
        let listed = try await browser.visit(path).text
        #expect(listed.contains(key) && listed.contains("\(path)?key=\(key)"))
        try await browser.visit("\(path)?key=\(key)")
        let done = try await browser.confirm("the server was replaced")
        #expect(done.text.contains("The key is revoked."))
        let revoked = try await gateway.count(
            "select count(*) from access_keys where id = \(key) and revoked_at is not null")
        #expect(revoked == 1)
    }
}
