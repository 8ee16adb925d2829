import JSON
import OperatorAccess
import Postgres
import Testing

/// The dialects of an app on the console.
@Suite("The APIs of other vendors of an app on the console", .gateway())
struct ConsoleDialectTests {
    private static let pool = "eu-central-1_Abc123XYZ"
    private static let held = [
        ("name", "Ducks"), ("origins", ""), ("redirect_uris", ""), ("linking_policy", "both_verified"),
        ("second_factor", "optional"), ("access_token_seconds", "600"), ("refresh_idle_seconds", "2592000"),
        ("refresh_max_seconds", "7776000"),
    ]

    /// A new app's id, its form's address, and a browser of an owner.
    ///
    /// - Parameter type: a confidential one has a sealed secret.
    private static func form(
        _ gateway: GatewayProcess, type: String = "public"
    ) async throws -> (id: String, path: String, browser: PageBrowser, token: (String, String)) {
        let id = "d" + Fresh.text().lowercased().filter(\.isLetter)
        let sealed: [UInt8]? = type == "public" ? nil : [0]
        try await gateway.change(
            "insert into clients (id, name, type, secret_sealed) values (\(id), 'Ducks', \(type), \(sealed))")
        let browser = try await ConsoleOperator.browser(gateway, .owner)
        return (id, "/admin/clients/\(id)/change", browser, ("form_token", try await browser.token()))
    }

    private static func wrong(_ answer: TestAnswer, _ field: String) throws -> String? {
        try HTMLDocument(Array(answer.text.utf8)).element(id: "wrong-\(field)")?.text
    }

    private static func dialects(_ gateway: GatewayProcess, _ id: String) async throws -> JSON {
        let text: String? = try await gateway.sql { connection in
            try connection.queryOne("select dialects::text from clients where id = \(id)")?.value(0)
        }
        return try JSON(parsing: text ?? "")
    }

    @Test("an owner turns it on and off; the page shows it, and a form without its fields leaves it")
    func onAndOff() async throws {
        let gateway = try GatewayProcess.current
        let (id, path, browser, token) = try await Self.form(gateway)
        func post(_ pool: String, _ client: String, _ more: [(String, String)] = []) async throws -> TestAnswer {
            let ids = [("cognito_pool_id", pool), ("cognito_client_id", client)]
            return try await browser.post(path, Self.held + ids + more + [token])
        }
        let asked = try await post(Self.pool, id, [("cognito_reveals_users", "1")])
        #expect(try asked.differences == ["APIs of other vendors"])
        let done = try await browser.confirm("it was written for a pool")
        #expect(done.text.contains("App changed.") && done.text.contains("Reveal whether a user exists: yes"))
        #expect(try await browser.post(path, Self.held + [token]).status == 409, "without the fields")
        _ = try await post(Self.pool, id)
        _ = try await browser.confirm("it shall not reveal users")
        let app: JSON = [
            "pool_id": .string(Self.pool), "client_id": .string(id), "reveals_users": false,
            "remembers_devices": "never", "strict_pkce": false,
        ]
        #expect(try await Self.dialects(gateway, id) == ["cognito": app])
        _ = try await post("", "", [("cognito_reveals_users", "1")])
        _ = try await browser.confirm("the app has changed")
        #expect(try await Self.dialects(gateway, id) == [:])
    }

    @Test("both invalid ids are reported at their fields, with the entries")
    func mistakes() async throws {
        let gateway = try GatewayProcess.current
        let (_, path, browser, token) = try await Self.form(gateway)
        let ids = [("cognito_pool_id", "eu-central-1"), ("cognito_client_id", "4-example")]
        let answer = try await browser.post(path, Self.held + ids + [token])
        #expect(answer.status == 400)
        #expect(try Self.wrong(answer, "cognito_pool_id")?.hasPrefix("Enter a pool ID such as") == true)
        #expect(try Self.wrong(answer, "cognito_client_id")?.hasPrefix("Enter an app client ID") == true)
        let field = try HTMLDocument(Array(answer.text.utf8)).element(id: "cognito_pool_id")
        #expect(field?.attributes["value"] == "eu-central-1" && field?.attributes["aria-invalid"] == "true")
        let half = try await browser.post(path, Self.held + [("cognito_pool_id", Self.pool), token])
        #expect(try Self.wrong(half, "cognito_client_id") != nil)
        #expect(try Self.wrong(half, "cognito_pool_id") == nil)
    }

    @Test("another app's id, administration and a digested secret are reported before the confirmation")
    func conflicts() async throws {
        let gateway = try GatewayProcess.current
        let digest = [UInt8](repeating: 7, count: 32)
        let (id, path, browser, token) = try await Self.form(gateway)
        let held = "{\"cognito\": {\"pool_id\": \"\(Self.pool)\", \"client_id\": \"\(id)\"}}"
        try await gateway.change("update clients set dialects = \(JSONText(held)) where id = \(id)")
        let other = try await Self.form(gateway)
        func post(_ client: String, _ more: [(String, String)] = []) async throws -> TestAnswer {
            let ids = [("cognito_pool_id", Self.pool), ("cognito_client_id", client)]
            return try await browser.post(other.path, Self.held + ids + more + [token])
        }
        let taken = try await post(id)
        #expect(taken.status == 400)
        #expect(try Self.wrong(taken, "cognito_client_id") == "Another app has this app client ID.")
        let administers = try await post(other.id, [("has_audiences", "1"), ("audience_administration", "1")])
        #expect(try Self.wrong(administers, "dialects") == "An app for administration can't use this.")
        try await gateway.change("update clients set secret_digest = \(digest) where id in (\(id), \(other.id))")
        let digested = try await post(other.id, [("type", "confidential")])
        #expect(try Self.wrong(digested, "cognito")?.hasPrefix("This app needs an encrypted secret") == true)
        let ids = [("cognito_pool_id", Self.pool), ("cognito_client_id", id)]
        let typed = try await browser.post(path, Self.held + ids + [("type", "confidential"), token])
        #expect(try Self.wrong(typed, "cognito")?.hasPrefix("This app needs an encrypted secret") == true)
        let without = [("cognito_pool_id", ""), ("cognito_client_id", "")]
        let off = try await browser.post(path, Self.held + without + [("type", "confidential"), token])
        #expect(off.status == 200, "\(off.text)")
    }

    // MARK: Native authentication

    private static let tenant = "6f1c2d3e-4b5a-4978-8796-a5b4c3d2e1f0"

    private static func native(_ tenant: String, _ name: String, _ application: String) -> [(String, String)] {
        [
            ("native_auth_tenant_id", tenant), ("native_auth_tenant_name", name),
            ("native_auth_application_id", application),
        ]
    }

    @Test("native authentication is turned on beside Cognito's API, shown, and turned off alone")
    func native() async throws {
        let gateway = try GatewayProcess.current
        let (id, path, browser, token) = try await Self.form(gateway)
        let pool = [("cognito_pool_id", Self.pool), ("cognito_client_id", id)]
        let ids = Self.native(Self.tenant.uppercased(), "Contoso.onmicrosoft.com", id.uppercased())
        _ = try await browser.post(path, Self.held + pool + ids + [("native_auth_reveals_users", "1"), token])
        let done = try await browser.confirm("it was written for a tenant")
        for line in [
            "Microsoft's native authentication API", "Tenant ID: \(Self.tenant)",
            "Tenant name: contoso.onmicrosoft.com",
            "Application ID: \(id)", "Reveal that a user does not exist: yes", "Reveal whether a user exists: no",
        ] { #expect(try Self.text(done).contains(line), "\(line)") }
        let cognito: JSON = [
            "pool_id": .string(Self.pool), "client_id": .string(id), "reveals_users": false,
            "remembers_devices": "never", "strict_pkce": false,
        ]
        let app: JSON = [
            "tenant_id": .string(Self.tenant), "tenant_name": "contoso.onmicrosoft.com", "application_id": .string(id),
            "reveals_users": true,
        ]
        #expect(try await Self.dialects(gateway, id) == ["cognito": cognito, "native_auth": app])
        let form = try HTMLDocument(Array(try await browser.visit(path).text.utf8))
        #expect(form.element(id: "native_auth_tenant_id")?.attributes["value"] == Self.tenant)
        #expect(form.element(id: "native_auth_reveals_users")?.attributes["checked"] != nil)
        _ = try await browser.post(path, Self.held + Self.native("", "", "") + [token])
        _ = try await browser.confirm("the app has changed")
        #expect(try await Self.dialects(gateway, id) == ["cognito": cognito])
    }

    private static func text(_ answer: TestAnswer) throws -> String {
        answer.text.replacing("&#39;", with: "'").replacing("&#x27;", with: "'")
    }

    @Test("each invalid id of native authentication is reported at its field")
    func nativeMistakes() async throws {
        let gateway = try GatewayProcess.current
        let (_, path, browser, token) = try await Self.form(gateway)
        let answer = try await browser.post(path, Self.held + Self.native("contoso", "contoso", "a b") + [token])
        #expect(answer.status == 400)
        #expect(try Self.wrong(answer, "native_auth_tenant_id")?.hasPrefix("Enter the tenant ID, such as") == true)
        #expect(try Self.wrong(answer, "native_auth_tenant_name")?.hasPrefix("Enter a domain name such as") == true)
        #expect(try Self.wrong(answer, "native_auth_application_id")?.hasPrefix("Enter an application ID") == true)
        let field = try HTMLDocument(Array(answer.text.utf8)).element(id: "native_auth_tenant_name")
        #expect(field?.attributes["value"] == "contoso" && field?.attributes["aria-invalid"] == "true")
        let half = try await browser.post(path, Self.held + Self.native("", "contoso.example", "") + [token])
        #expect(try Self.wrong(half, "native_auth_tenant_id") != nil)
        #expect(try Self.wrong(half, "native_auth_application_id") != nil)
        #expect(try Self.wrong(half, "native_auth_tenant_name") == nil)
    }

    @Test("another app's application id and administration are reported before the confirmation")
    func nativeConflicts() async throws {
        let gateway = try GatewayProcess.current
        let (id, _, browser, token) = try await Self.form(gateway)
        let held = "{\"native_auth\": {\"tenant_id\": \"\(Self.tenant)\", \"application_id\": \"\(id)\"}}"
        try await gateway.change("update clients set dialects = \(JSONText(held)) where id = \(id)")
        let other = try await Self.form(gateway)
        let ids = Self.native(Self.tenant, "", id.uppercased())
        let taken = try await browser.post(other.path, Self.held + ids + [token])
        #expect(taken.status == 400)
        #expect(try Self.wrong(taken, "native_auth_application_id") == "Another app has this application ID.")
        let own = Self.native(Self.tenant, "", other.id)
        let audience = [("has_audiences", "1"), ("audience_administration", "1")]
        let administers = try await browser.post(other.path, Self.held + own + audience + [token])
        #expect(try Self.wrong(administers, "dialects") == "An app for administration can't use this.")
    }

    // MARK: Secrets

    @Test("the next secret of a confidential app with Cognito's API is kept encrypted")
    func secret() async throws {
        let gateway = try GatewayProcess.current
        let (id, _, browser, _) = try await Self.form(gateway, type: "confidential")
        let held = "{\"cognito\": {\"pool_id\": \"\(Self.pool)\", \"client_id\": \"\(id)\"}}"
        try await gateway.change("update clients set dialects = \(JSONText(held)) where id = \(id)")
        let page = try await browser.visit("/admin/clients/\(id)/secret")
        #expect(
            try HTMLDocument(Array(page.text.utf8)).element(id: "sealed")?.attributes["checked"] != nil)
        let made = try await browser.confirm("it leaked")
        #expect(try HTMLDocument(Array(made.text.utf8)).element(id: "secret") != nil, "\(made.text)")
        #expect(
            try await gateway.count(
                "select count(*) from clients where id = \(id) and secret_sealed is not null and secret_digest is null")
                == 1)
    }
}
