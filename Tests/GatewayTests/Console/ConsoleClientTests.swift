import Cryptography
import Foundation
import JSON
import Postgres
import TestSupport
import Testing

@testable import Clients
@testable import OperatorAccess

/// The apps that may call the gateway, on the console.
@Suite(.gateway())
struct ConsoleClientTests {
    private static let settings = [
        ("name", "Shop"), ("origins", "https://shop.example.com\r\n\r\n https://www.shop.example.com "),
        ("redirect_uris", "https://shop.example.com/back"), ("provider_google", "1"), ("linking_policy", "ask"),
        ("second_factor", "required"), ("access_token_seconds", "300"), ("refresh_idle_seconds", "86400"),
        ("refresh_max_seconds", "2592000"),
    ]

    /// The form of the app of ``GatewayProcess/makeClient()``.
    private static let held = [
        ("name", "Old <b>name</b>"), ("origins", "https://old.example.com"), ("redirect_uris", ""),
        ("linking_policy", "both_verified"), ("second_factor", "optional"), ("access_token_seconds", "600"),
        ("refresh_idle_seconds", "2592000"), ("refresh_max_seconds", "7776000"),
    ]

    /// The same with another value.
    private static func holding(_ name: String, _ value: String) -> [(String, String)] {
        held.map { ($0.0, $0.0 == name ? value : $0.1) }
    }

    fileprivate static func name() -> String { "c" + Fresh.text().lowercased().filter(\.isLetter) }

    @Test("An app is added with a reason, and only that answer contains its secret")
    func create() async throws {
        let gateway = try GatewayProcess.current
        let browser = try await ConsoleOperator.browser(gateway, .owner)
        let token = try await browser.token()
        let id = Self.name()
        let fields = Self.settings + [("form_token", token), ("id", id), ("type", "confidential")]
        let wordless = try await browser.post("/admin/new-client", fields)
        #expect(wordless.status == 400 && browser.problem == "Enter a reason.")
        let row = try #require(try await gateway.audit(wordless).first)
        #expect(row.reason == "invalid_request" && row.detail == [["pointer": "/reason", "code": "required"]])
        #expect(try await gateway.client(id) == nil)
        let made = try await browser.post("/admin/new-client", fields + [("reason", "a new shop")])
        #expect(made.status == 200)
        #expect(made.links.contains("/admin/clients/\(id)/quickstart"))
        #expect(made.header("Cache-Control")?.contains("no-store") == true)
        let document = try HTMLDocument(Array(made.text.utf8))
        let secret = try #require(document.element(id: "secret")?.text)
        let client = try #require(try await gateway.client(id))
        #expect(client.digest == SHA256.hash(secret))
        #expect(client.origins == ["https://shop.example.com", "https://www.shop.example.com"])
        #expect(client.policy == "ask")
        let shown = try await browser.visit("/admin/clients/\(id)")
        #expect(shown.text.contains("https://shop.example.com/back") && !shown.text.contains(secret))
        let list = try await browser.visit("/admin/clients")
        #expect(list.links.contains("/admin/clients/\(id)"))
    }

    @Test("All errors appear at their fields, with the entries")
    func mistakes() async throws {
        let gateway = try GatewayProcess.current
        let browser = try await ConsoleOperator.browser(gateway, .owner)
        let token = try await browser.token()
        let answer = try await browser.post(
            "/admin/new-client",
            [
                ("form_token", token), ("id", "app"), ("name", "Shop"), ("linking_policy", "ask"),
                ("origins", "https://good.example.com\nhttps://bad.example.com/path"), ("redirect_uris", "nowhere"),
                ("second_factor", "optional"), ("access_token_seconds", "5"), ("refresh_idle_seconds", "soon"),
                ("refresh_max_seconds", "2592000"),
            ])
        #expect(answer.status == 400)
        let document = try HTMLDocument(Array(answer.text.utf8))
        for (field, words) in [
            ("id", "Another app has this ID."),
            ("origins", "Line 2 is not an origin such as https://app.example.com"),
            ("redirect_uris", "Line 1 is not an address such as https://app.example.com/back"),
            ("access_token_seconds", "Enter a time from 1 minute to 1 hour."),
            ("refresh_idle_seconds", "Enter a time from 1 minute to 365 days."),
        ] {
            #expect(document.element(id: "wrong-\(field)")?.text == words)
        }
        #expect(document.element(id: "wrong-refresh_max_seconds") == nil)
        #expect(document.element(id: "refresh_idle_seconds")?.attributes["value"] == "soon")
        #expect(answer.text.contains("https://bad.example.com/path"))
        // The folded parts with a mistake are open.
        let open = document.all("details").filter { $0.attributes["open"] != nil }.compactMap { $0.attributes["id"] }
        #expect(open == ["part-id", "part-sessions"])
        let row = try #require(try await gateway.audit(answer).first)
        #expect(row.action == "trust_client" && row.reason == "invalid_request")
        let parts = (row.detail?.array ?? []).compactMap { $0["pointer"]?.string }
        let wrong: Set = ["/id", "/origins/1", "/redirect_uris/0", "/access_token_seconds", "/refresh_idle_seconds"]
        #expect(Set(parts) == wrong && parts.count == wrong.count)
        #expect(row.detail?.array?.first?["code"] == "taken", "The first is the id.")
        let kept = row.detail?.text ?? ""
        for typed in ["bad.example.com", "nowhere", "soon", "Shop"] { #expect(!kept.contains(typed), "\(kept)") }
    }

    @Test("A new app's id comes from its name, its common sign-in methods are ticked, and times have units")
    func shortForm() async throws {
        let gateway = try GatewayProcess.current
        let browser = try await ConsoleOperator.browser(gateway, .owner)
        let form = try HTMLDocument(Array(try await browser.visit("/admin/new-client").text.utf8))
        let ticked = form.all("input").filter { $0.attributes["type"] == "checkbox" && $0.attributes["checked"] != nil }
        #expect(ticked.contains { $0.attributes["id"] == "provider-password" })
        #expect(form.all("details").allSatisfy { $0.attributes["open"] == nil })
        let name = "Ümläut \(Fresh.text().lowercased().filter(\.isLetter)) & Söhne"
        let id = "umlaut-\(name.split(separator: " ")[1])-sohne"
        let fields = [
            ("form_token", try await browser.token()), ("name", name), ("type", "public"), ("provider_password", "1"),
            ("linking_policy", "ask"), ("second_factor", "optional"), ("access_token_seconds", "10"),
            ("access_token_seconds_unit", "minutes"), ("refresh_idle_seconds", "30"),
            ("refresh_idle_seconds_unit", "days"), ("refresh_max_seconds", "7776000"), ("reason", "a new shop"),
        ]
        let made = try await browser.post("/admin/new-client", fields)
        #expect(made.status == 200 && made.text.contains("App added."), "\(made.text)")
        #expect(try await gateway.settings(of: id)["access_token_seconds"] == 600)
        #expect(try await gateway.settings(of: id)["refresh_idle_seconds"] == 2_592_000)
        let shown = try await browser.visit("/admin/clients/\(id)").text
        #expect(shown.contains("10 minutes") && shown.contains("30 days") && shown.contains("90 days"))
        let again = try HTMLDocument(Array(try await browser.visit("/admin/clients/\(id)/change").text.utf8))
        #expect(again.element(id: "refresh_max_seconds")?.attributes["value"] == "90")
    }

    @Test("A change shows the differences, needs a reason, and changes nothing else")
    func change() async throws {
        let gateway = try GatewayProcess.current
        let id = try await gateway.makeClient()
        let person = try await ConsoleOperator(gateway, .owner)
        let browser = try await person.open()
        let token = try await browser.token()
        let path = "/admin/clients/\(id)/change"
        let settings = Self.holding("linking_policy", "ask") + [("form_token", token)]
        let asked = try await browser.post(path, settings)
        #expect(asked.status == 200)
        #expect(try asked.differences == ["Linking policy"])
        let done = try await browser.confirm("support asked")
        #expect(done.text.contains("App changed."))
        let client = try #require(try await gateway.client(id))
        #expect(client.policy == "ask" && client.origins == ["https://old.example.com"])
        let again = try await browser.post(path, settings)
        #expect(again.status == 409)
        #expect(browser.problem == "Nothing to change.")
        let wordless = try await browser.post(
            path,
            settings.map { ($0.0, $0.0 == "name" ? "New" : $0.1) } + [
                ("confirmed", "1")
            ])
        #expect(wordless.status == 400 && browser.problem == "Enter a reason.")
    }

    @Test("S-18: the console shows and relaxes the rotation, and a form without the field leaves it")
    func rotation() async throws {
        let gateway = try GatewayProcess.current
        let id = try await gateway.makeClient()
        let browser = try await ConsoleOperator.browser(gateway, .owner)
        let settings = Self.held + [("form_token", try await browser.token())]
        let path = "/admin/clients/\(id)/change"
        let asked = try await browser.post(path, settings + [("refresh_rotation", "relaxed")])
        #expect(try asked.differences == ["Refresh token rotation"])
        let done = try await browser.confirm("its SDK keeps the first token")
        #expect(done.text.contains("relaxed: the app keeps its token"), "\(done.text)")
        #expect(try await browser.post(path, settings).status == 409)
        #expect(browser.problem == "Nothing to change.")
    }

    @Test("the console shows and sets whether an app accepts guests, by a box that is not sent while it is empty")
    func guests() async throws {
        let gateway = try GatewayProcess.current
        let id = try await gateway.makeClient()
        let browser = try await ConsoleOperator.browser(gateway, .owner)
        let settings = Self.held + [("form_token", try await browser.token())]
        let path = "/admin/clients/\(id)/change"
        let asked = try await browser.post(path, settings + [("guests", "1")])
        #expect(try asked.differences == ["Guests"])
        _ = try await browser.confirm("try before signing up")
        #expect(try await gateway.count("select count(*) from clients where id = \(id) and guests") == 1)
        _ = try await browser.post(path, settings)
        _ = try await browser.confirm("no more guests")
        #expect(try await gateway.count("select count(*) from clients where id = \(id) and guests") == 0)
    }

    /// A form with every setting that an app has, and another value than its default for each.
    private static let complete = [
        ("name", "Ducks"), ("origins", "https://ducks.example.com"),
        ("redirect_uris", "https://ducks.example.com/in"), ("provider_password", "1"), ("provider_apple", "1"),
        ("provider_passkey", "1"), ("has_sign_up_names", "1"), ("sign_up_name_phone", "1"),
        ("sign_up_name_user_name", "1"), ("attributes", "company:text!\r\nsize:number:back_end:shared"),
        ("accepted_audiences", "apple org.ducks.app"), ("has_audiences", "1"), ("linking_policy", "ask"),
        ("second_factor", "required"), ("guests", "1"), ("custom_challenge", "1"),
        ("foreign_nonces", "1"), ("claims_url", "https://claims.ducks.example.com/"), ("claims_audience", "ducks"),
        ("claims_application", "gateway"), ("claims_allowed", "tier"), ("claims_failure", "open"),
        ("claims_attributes", "company:org"), ("claims_refresh_seconds", "600"), ("access_token_seconds", "300"),
        ("brand_logo_url", "https://ducks.example.com/logo.svg"), ("brand_accent", "#1B6E3C"),
        ("brand_support_url", "mailto:help@ducks.example.com"), ("refresh_idle_seconds", "86400"),
        ("refresh_max_seconds", "172800"), ("refresh_rotation", "relaxed"), ("bot_check", "always"),
        ("cognito_pool_id", " eu-central-1_Abc123XYZ "), ("cognito_client_id", "4everything"),
        ("cognito_exchange_audiences", " orders  https://stock.example.com "),
        ("cognito_reveals_users", "1"), ("cognito_strict_pkce", "1"), ("cognito_remembers_devices", "opt_in"),
        ("native_auth_tenant_id", "6f1c2d3e-4b5a-4978-8796-a5b4c3d2e1f0"),
        ("native_auth_tenant_name", "contoso.onmicrosoft.com"), ("native_auth_application_id", " 0f1e-everything "),
        ("native_auth_reveals_users", "1"),
        // The box for claims in ID tokens is not ticked.
        ("openid_pkce_optional", "1"), ("openid_id_token_algorithm", "ES256"),
        ("openid_refresh_tokens", "offline_access"), ("openid_userinfo_signed_response_alg", "RS256"),
        ("openid_scopes", "openid\r\nemail"),
        ("openid_post_logout_redirect_uris", "https://ducks.example.com/\r\nhttps://www.ducks.example.com/bye"),
        ("openid_backchannel_logout_uri", " https://ducks.example.com/backchannel "), ("openid_pushed_requests", "1"),
        ("openid_device_flow", "1"), ("openid_service_account", "1"),
        ("openid_dpop_bound_access_tokens", "1"),
        ("openid_apple_apps", "TEAM123456.com.example.app"), ("openid_android_apps", androidApp),
        ("openid_jwks", keySet.text),
        ("openid_resources", resource.text), ("openid_assertion_audiences", assertionAudience.text),
    ]
    private static let androidApp = "com.example.app:" + Array(repeating: "AB", count: 32).joined(separator: ":")
    /// RFC 7517, appendix A.1.
    private static let keySet: JSON = [
        "keys": [
            [
                "kty": "EC", "crv": "P-256", "kid": "1", "use": "sig",
                "x": "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4", "y": "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM",
            ]
        ]
    ]
    private static let resource: JSON = [
        "identifier": "https://api.ducks.example.com", "name": "Ponds", "scopes": ["ponds:read": "See your ponds"],
        "clients": ["*"],
    ]

    private static let assertionAudience: JSON = [
        "issuer": "https://auth.pond.example", "client_id": "ducks-there", "resources": ["https://api.pond.example"],
        "scopes": ["ponds:read"],
    ]

    @Test("the console sets everything that an app has, and the form shows it again")
    func everySetting() async throws {
        let gateway = try GatewayProcess.current
        let id = Self.name()
        let browser = try await ConsoleOperator.browser(gateway, .owner)
        let fields =
            Self.complete + [
                ("id", id), ("type", "confidential"), ("form_token", try await browser.token()),
                ("reason", "a shop for ducks"),
            ]
        #expect(try await browser.post("/admin/new-client", fields).status == 200)
        let services = ClientDeclaration.declaring(try await gateway.settings(of: id))
        // The members of the API name all settings; `disabled` alone keeps its default here.
        let names = ["id", "providers"] + ClientDeclaration.defaults.members.map(\.name) + ["name"]
        #expect(Set(services.members.map(\.name)) == Set(names).subtracting(["disabled"]))
        #expect(services["providers"] == ["apple", "passkey", "password"])
        #expect(services["sign_up_names"] == ["phone", "user_name"])
        let attributes: JSON = [
            ["name": "company", "kind": "text", "required": true, "writable_by": .null, "shared": false],
            ["name": "size", "kind": "number", "required": false, "writable_by": "back_end", "shared": true],
        ]
        #expect(services["attributes"] == attributes)
        let claims: JSON = [
            "url": "https://claims.ducks.example.com/", "audience": "ducks", "application": "gateway",
            "allowed": ["tier"], "failure": "open", "attributes": ["company": "org"], "refresh_seconds": 600,
        ]
        #expect(services["claims"] == claims)
        let brand: JSON = [
            "logo_url": "https://ducks.example.com/logo.svg", "accent": "#1b6e3c",
            "support_url": "mailto:help@ducks.example.com",
        ]
        #expect(services["brand"] == brand)
        let dialects: JSON = [
            "cognito": [
                "pool_id": "eu-central-1_Abc123XYZ", "client_id": "4everything", "reveals_users": true,
                "remembers_devices": "opt_in", "strict_pkce": true,
                "exchange_audiences": "orders https://stock.example.com",
            ],
            "native_auth": [
                "tenant_id": "6f1c2d3e-4b5a-4978-8796-a5b4c3d2e1f0", "tenant_name": "contoso.onmicrosoft.com",
                "application_id": "0f1e-everything", "reveals_users": true,
            ],
        ]
        #expect(services["dialects"] == dialects)
        let openID: JSON = [
            "pkce_optional": true, "id_token_algorithm": "ES256", "id_token_claims": false,
            "scopes": ["openid", "email"],
            "refresh_tokens": "offline_access", "userinfo_signed_response_alg": "RS256",
            "post_logout_redirect_uris": ["https://ducks.example.com/", "https://www.ducks.example.com/bye"],
            "backchannel_logout_uri": "https://ducks.example.com/backchannel", "pushed_requests": true,
            "device_flow": true, "service_account": true, "dpop_bound_access_tokens": true,
            "apple_apps": ["TEAM123456.com.example.app"], "android_apps": [.string(Self.androidApp)],
            "jwks": Self.keySet,
            "resources": [Self.resource], "assertion_audiences": [Self.assertionAudience],
        ]
        #expect(services["openid"] == openID)
        // Pairwise subjects and another maker exclude the other vendors' APIs. An app has `jwks` or its address.
        let others = OpenIDSettings.subjectMembers + ["third_party", "jwks_uri"]
        #expect(Set((openID.object?.members.map(\.name) ?? []) + others) == Set(OpenIDSettings.members))
        let again = try HTMLDocument(Array(try await browser.visit("/admin/clients/\(id)/change").text.utf8))
        let refresh = again.element(id: "claims_refresh_seconds")?.attributes["value"]
        #expect(refresh == "10", "minutes")
        for (name, value) in Self.complete
        where name.hasPrefix("claims_") && !["claims_failure", "claims_refresh_seconds"].contains(name) {
            let field = try #require(again.element(id: name), "\(name)")
            #expect(
                field.attributes["value"] == value || field.text.trimmingCharacters(in: .newlines) == value, "\(name)")
        }
        #expect(again.element(id: "cognito_pool_id")?.attributes["value"] == "eu-central-1_Abc123XYZ")
        #expect(again.element(id: "native_auth_application_id")?.attributes["value"] == "0f1e-everything")
        #expect(again.element(id: "cognito_reveals_users")?.attributes["checked"] != nil)
        for box in ["pkce_optional", "id_token_claims", "pushed_requests", "device_flow"] {
            let isTicked = again.element(id: "openid_\(box)").map { $0.attributes["checked"] != nil }
            #expect(isTicked == (box != "id_token_claims"), "\(box)")
        }
        let chosen = again.elements.filter { $0.name == "option" && $0.attributes["selected"] != nil }
            .compactMap { $0.attributes["value"] }
        #expect(Set(chosen).isSuperset(of: ["ES256", "offline_access"]))
        let returns = again.element(id: "openid_post_logout_redirect_uris")?.text
        #expect(returns?.contains("https://ducks.example.com/\nhttps://www.ducks.example.com/bye") == true)
        let report = again.element(id: "openid_backchannel_logout_uri")?.attributes["value"]
        #expect(report == "https://ducks.example.com/backchannel")
        #expect(again.element(id: "provider-passkey")?.attributes["checked"] != nil)
        #expect(again.element(id: "sign-up-name-email").map { $0.attributes["checked"] == nil } == true)
    }

    @Test("a sector that can't be used is found before the change, and a sound one is saved")
    func sector() async throws {
        let gateway = try GatewayProcess.current
        let id = try await gateway.makeClient()
        let browser = try await ConsoleOperator.browser(gateway, .owner)
        let settings =
            Self.holding("redirect_uris", "https://a.example.com/cb\r\nhttps://b.example.com/cb")
            + [("form_token", try await browser.token()), ("openid_subject_type", "pairwise")]
        func mistake(_ more: [(String, String)] = []) async throws -> String? {
            let answer = try await browser.post("/admin/clients/\(id)/change", settings + more)
            return try HTMLDocument(Array(answer.text.utf8)).element(id: "wrong-openid_sector_identifier_uri")?.text
        }
        #expect(try await mistake()?.hasPrefix("The redirect addresses have several hosts") == true)
        try await SectorSite.run { site, address in
            let named = [("openid_sector_identifier_uri", " \(address) ")]
            site.answers(["https://a.example.com/cb"])
            #expect(try await mistake(named) == "The document lacks a redirect address of this app.")
            site.answers([:])
            #expect(try await mistake(named)?.hasPrefix("The document can't be fetched") == true)
            site.answers(["https://a.example.com/cb", "https://b.example.com/cb"])
            #expect(try await mistake(named) == nil)
            // Every user is a new one for the app.
            let asked = try HTMLDocument(Array(browser.page.text.utf8))
            #expect(asked.element(id: "warning")?.text.contains("another subject") == true)
            let done = try await browser.confirm("its two sites share users")
            #expect(done.text.contains("App changed."))
            let openID: JSON = ["subject_type": "pairwise", "sector_identifier_uri": .string(address)]
            #expect(try await gateway.settings(of: id)["openid"] == openID)
        }
    }

    @Test("an app without a ticked sign-in method offers none, and its page says so")
    func noMethod() async throws {
        let gateway = try GatewayProcess.current
        let id = Self.name()
        let browser = try await ConsoleOperator.browser(gateway, .owner)
        let fields = Self.settings.filter { !$0.0.hasPrefix("provider_") }
        let token = ("form_token", try await browser.token())
        let sent = fields + [("id", id), token, ("reason", "only introspection")]
        #expect(try await browser.post("/admin/new-client", sent).status == 200)
        #expect(try await gateway.settings(of: id)["providers"] == [])
        try await poll { try await gateway.get("/login?client_id=\(id)").status == 200 ? () : nil }
        let login = try HTMLDocument(Array(try await gateway.get("/login?client_id=\(id)").text.utf8))
        #expect(login.element(id: "password") == nil && login.element(id: "username") == nil)
        let answer = try await gateway.signIn("password", credential: ["username": "a", "password": "b"], app: id)
        try await gateway.expectRefusal(answer, 403, "provider_not_allowed", provider: "password")
    }

    @Test("errors of attributes, sign-up names and claims appear at their fields")
    func mistakesOfLists() async throws {
        let gateway = try GatewayProcess.current
        let browser = try await ConsoleOperator.browser(gateway, .owner)
        let answer = try await browser.post(
            "/admin/new-client",
            Self.settings + [
                ("form_token", try await browser.token()), ("id", Self.name()), ("has_sign_up_names", "1"),
                ("attributes", "company\nShoe size"), ("claims_url", "http://127.0.0.1:1/"),
                ("claims_audience", "ducks"), ("claims_allowed", "tier\nsub"), ("brand_accent", "#ffd400"),
                ("brand_accent_dark", "yellow"), ("brand_logo_url", "http://ducks.example.com/"),
                ("openid_jwks", Self.keySet.text), ("openid_jwks_uri", "https://ducks.example.com/keys"),
            ])
        #expect(answer.status == 400)
        let document = try HTMLDocument(Array(answer.text.utf8))
        #expect(
            document.element(id: "wrong-attributes")?.text
                == "Line 2 is not an attribute such as company:text! or it repeats one.")
        #expect(document.element(id: "wrong-sign_up_names")?.text.hasPrefix("Choose at least one.") == true)
        #expect(document.element(id: "wrong-claims_allowed")?.text.hasPrefix("Enter the names of the claims") == true)
        let advice = try #require(document.element(id: "wrong-brand_accent")?.text)
        let nearest = try #require(advice.firstMatch(of: /#[0-9a-f]{6}/).flatMap { AccentColour(String($0.output)) })
        let (asked, ground) = (try #require(AccentColour("#ffd400")), ClientBrand.lightGround)
        #expect(nearest.contrast(with: ground) >= 4.5 && asked.contrast(with: ground) < 4.5)
        let hundredths = (asked.contrast(with: ground) * 100).rounded(.down)
        #expect(advice.contains(String(format: " %.2f:1,", hundredths / 100)), "\(advice)")
        #expect(document.element(id: "wrong-brand_accent_dark") == nil, "It goes with the accent.")
        #expect(document.element(id: "wrong-openid_jwks_uri")?.text.hasPrefix("Enter an https:// address") == true)
        #expect(document.element(id: "wrong-openid_jwks") == nil)
        #expect(document.element(id: "wrong-brand_logo_url")?.text.hasPrefix("Enter an address") == true)
        #expect(document.element(id: "attributes")?.text.trimmingCharacters(in: .newlines) == "company\nShoe size")
    }

    @Test("F3, F9: the console shows and sets an app's type and the audiences that it accepts")
    func types() async throws {
        let gateway = try GatewayProcess.current
        let id = try await gateway.makeClient()
        let browser = try await ConsoleOperator.browser(gateway, .owner)
        let settings = Self.held + [("form_token", try await browser.token()), ("type", "confidential")]
        let path = "/admin/clients/\(id)/change"
        let wrong = try await browser.post(path, settings + [("accepted_audiences", "apple")])
        let document = try HTMLDocument(Array(wrong.text.utf8))
        #expect(document.element(id: "wrong-type")?.text == "This app needs a secret first.")
        #expect(
            document.element(id: "wrong-accepted_audiences")?.text == "Enter one provider and audience per line."
        )
        try await gateway.change(
            "update clients set secret_digest = \([UInt8](repeating: 0, count: 32)) where id = \(id)")
        let asked = try await browser.post(
            path, settings + [("accepted_audiences", "google b\r\napple org.ducks.app\r\ngoogle a")])
        #expect(asked.status == 200, "\(asked.text)")
        #expect(try await browser.confirm("a server").text.contains("App changed."))
        let set = try await gateway.count(
            """
            select count(*) from clients where id = \(id) and type = 'confidential'
               and accepted_audiences = '{"apple": ["org.ducks.app"], "google": ["b", "a"]}'
            """)
        #expect(set == 1)
        let shown = try await browser.visit("/admin/clients/\(id)")
        #expect(shown.text.contains("confidential (a server") && shown.text.contains("apple org.ducks.app"))
    }

    @Test("F1: the console shows an app's session permissions; only an owner can change them")
    func permissions() async throws {
        let gateway = try GatewayProcess.current
        let id = try await gateway.makeClient()
        let path = "/admin/clients/\(id)/change"
        let sent = Self.held + [("has_audiences", "1"), ("audience_administration", "1")]
        func audiences(_ expected: [String]) async throws -> Bool {
            try await gateway.count("select count(*) from clients where id = \(id) and audiences = \(expected)") == 1
        }

        let admin = try await ConsoleOperator.browser(gateway, .admin)
        let token = ("form_token", try await admin.token())
        for fields in [sent, sent + [("confirmed", "1"), ("reason", "because I can")]] {
            let refused = try await admin.post(path, fields + [token])
            #expect(refused.status == 403)
            let rows = try await gateway.audit(refused)
            #expect(rows.map(\.reason) == ["role_too_low"] && rows.map(\.action) == ["trust_client"])
        }
        #expect(try await audiences(["account"]))

        let owner = try await ConsoleOperator.browser(gateway, .owner)
        let form = try HTMLDocument(Array(try await owner.visit(path).text.utf8))
        #expect(form.element(id: "audience-account")?.attributes["checked"] != nil)
        #expect(form.element(id: "audience-administration").map { $0.attributes["checked"] == nil } == true)
        let own = ("form_token", try await owner.token())
        let wrong = try await owner.post(path, sent + [("audience_everything", "1"), own])
        #expect(wrong.status == 400)
        let words = try HTMLDocument(Array(wrong.text.utf8)).element(id: "wrong-audiences")?.text
        #expect(words == "Choose another value.")
        let asked = try await owner.post(path, sent + [own])
        #expect(try asked.differences == ["Session permissions"])
        #expect(try await owner.confirm("it is for scripts").text.contains("App changed."))
        #expect(try await audiences(["administration"]))
        #expect(try await owner.visit("/admin/clients/\(id)").text.contains("administration: this console and its API"))

        // A form without the boxes keeps the permissions; one with no box ticked removes them.
        #expect(try await owner.post(path, Self.held + [own]).status == 409)
        #expect(try await owner.post(path, Self.held + [("has_audiences", "1"), own]).status == 200)
        _ = try await owner.confirm("its sessions are for its own API")
        #expect(try await audiences([]))
    }

    @Test("F1: a new app has the permissions that were ticked for it")
    func permissionsOfNew() async throws {
        let gateway = try GatewayProcess.current
        let browser = try await ConsoleOperator.browser(gateway, .owner)
        let form = try HTMLDocument(Array(try await browser.visit("/admin/new-client").text.utf8))
        #expect(form.element(id: "audience-account")?.attributes["checked"] != nil)
        for (boxes, stored) in [(["audience_account"], "{account}"), ([], "{}")] as [([String], String)] {
            let id = Self.name()
            let fields =
                Self.settings + [("id", id), ("has_audiences", "1"), ("form_token", try await browser.token())]
            let sent = fields + boxes.map { ($0, "1") } + [("reason", "a new shop")]
            #expect(try await browser.post("/admin/new-client", sent).status == 200)
            #expect(
                try await gateway.count(
                    "select count(*) from clients where id = \(id) and audiences = \(stored)::text[]") == 1)
        }
    }

    @Test("F9: an unconfigured provider is named at its field, for a new and an existing app")
    func unknownProvider() async throws {
        let gateway = try GatewayProcess.current
        let id = try await gateway.makeClient()
        let browser = try await ConsoleOperator.browser(gateway, .owner)
        let token = try await browser.token()
        for (path, extra) in [
            ("/admin/clients/\(id)/change", []), ("/admin/new-client", [("id", Self.name())]),
        ] as [(String, [(String, String)])] {
            let fields =
                Self.settings + extra + [("form_token", token), ("accepted_audiences", "apple a\r\n<i>aple</i> b")]
            // A submitted confirmation does not replace the form.
            for sent in [fields, fields + [("confirmed", "1"), ("reason", "a test")]] {
                let answer = try await browser.post(path, sent)
                #expect(answer.status == 400)
                let words = try HTMLDocument(Array(answer.text.utf8)).element(id: "wrong-accepted_audiences")?.text
                #expect(words == "No provider with the ID <i>aple</i> is configured.")
            }
        }
        #expect(
            try await gateway.count(
                "select count(*) from clients where id = \(id) and accepted_audiences = '{}' and name like 'Old%'") == 1
        )
    }

    @Test("A concurrent change is not overwritten unseen: it is shown, and the confirmation repeated")
    func changedMeanwhile() async throws {
        let gateway = try GatewayProcess.current
        let id = try await gateway.makeClient()
        let browser = try await ConsoleOperator.browser(gateway, .owner)
        let settings = Self.holding("name", "New name") + [("form_token", try await browser.token())]
        #expect(try await browser.post("/admin/clients/\(id)/change", settings).status == 200)
        try await gateway.change("update clients set origins = '{}', disabled_at = now() where id = \(id)")
        let refused = try await browser.confirm("a better name")
        #expect(refused.status == 409)
        #expect(browser.problem?.hasPrefix("Something has changed.") == true)
        let rows = try refused.differences
        #expect(rows.count == 3, "the name, and what would be taken back: \(rows)")
        #expect(try await gateway.client(id)?.origins == [])
        #expect(try await browser.confirm("all of it").text.contains("App changed."))
    }

    @Test("A secret is replaced with a reason, and shown once")
    func secret() async throws {
        let gateway = try GatewayProcess.current
        let id = try await gateway.makeClient()
        let browser = try await ConsoleOperator.browser(gateway, .owner)
        try await browser.visit("/admin/clients/\(id)/secret")
        let made = try await browser.confirm("it leaked")
        let document = try HTMLDocument(Array(made.text.utf8))
        let secret = try #require(document.element(id: "secret")?.text)
        #expect(try await gateway.client(id)?.digest == SHA256.hash(secret))
        #expect(try await gateway.audit(made).map(\.action) == ["client_secret_replaced"])
    }

    @Test("A secret can be kept sealed, which the app's page states")
    func sealedSecret() async throws {
        let gateway = try GatewayProcess.current
        let id = try await gateway.makeClient()
        let browser = try await ConsoleOperator.browser(gateway, .owner)
        let path = "/admin/clients/\(id)/secret"
        let form = try HTMLDocument(Array(try await browser.visit(path).text.utf8))
        #expect(form.element(id: "sealed").map { $0.attributes["checked"] == nil } == true)
        let once = try #require(form.elements.first { $0.attributes["name"] == "once" }?.attributes["value"])
        let fields = [("form_token", try await browser.token()), ("once", once), ("sealed", "1")]
        let refused = try await browser.post(path, fields + [("reason", "")])
        #expect(refused.status == 400)
        let again = try HTMLDocument(Array(refused.text.utf8))
        #expect(again.element(id: "sealed")?.attributes["checked"] != nil)
        let made = try await browser.post(path, fields + [("reason", "its SDK signs with it")])
        let secret = try #require(try HTMLDocument(Array(made.text.utf8)).element(id: "secret")?.text)
        let introspected = try await poll {
            let answer = try await gateway.form(
                "/v1/token/introspect", [("token", "x")], client: id, secret: secret)
            return answer.status == 200 ? answer : nil
        }
        #expect(introspected.json == ["active": false])
        #expect(try await gateway.client(id)?.digest == nil)
        #expect(try await browser.visit("/admin/clients/\(id)").text.contains("with encrypted secret"))
        #expect(try await gateway.audit(made).map(\.action) == ["client_secret_replaced"])
    }

    @Test("A reloaded form for a secret, or one without its mark, creates no other secret")
    func reload() async throws {
        let gateway = try GatewayProcess.current
        let id = try await gateway.makeClient()
        let browser = try await ConsoleOperator.browser(gateway, .owner)
        let path = "/admin/clients/\(id)/secret"
        let form = try HTMLDocument(Array(try await browser.visit(path).text.utf8))
        let once = try #require(form.elements.first { $0.attributes["name"] == "once" }?.attributes["value"])
        let fields = [("form_token", try await browser.token()), ("reason", "it leaked")]
        let made = try await browser.post(path, fields + [("once", once)])
        let secret = try #require(try HTMLDocument(Array(made.text.utf8)).element(id: "secret")?.text)
        for sent in [fields + [("once", once)], fields, fields + [("once", "x")]] {
            let refused = try await browser.post(path, sent)
            #expect(refused.status == 409)
            #expect(try await gateway.audit(refused).map(\.reason) == ["accounts_changed"])
        }
        #expect(try await gateway.client(id)?.digest == SHA256.hash(secret))
    }

    @Test("A viewer is offered no change, and refused one", arguments: [OperatorRole.viewer, .support])
    func roles(_ role: OperatorRole) async throws {
        let gateway = try GatewayProcess.current
        let id = try await gateway.makeClient()
        let browser = try await ConsoleOperator.browser(gateway, role)
        let path = "/admin/clients/\(id)"
        try await browser.visit(path)
        #expect(browser.page.status == 200)
        let links = browser.page.links.filter { $0.hasPrefix("\(path)/") }
        #expect(links == ["\(path)/access-keys", "\(path)/quickstart"])
        for page in ["\(path)/change", "\(path)/secret", "/admin/new-client"] {
            let refused = try await browser.visit(page)
            #expect(refused.status == 403, "\(page)")
            #expect(try await gateway.audit(refused).map(\.reason) == ["role_too_low"])
        }
        let token = try await browser.token()
        let fields = Self.settings + [("form_token", token), ("confirmed", "1"), ("reason", "because I can")]
        for (page, extra) in [
            ("\(path)/change", []), ("\(path)/secret", []), ("/admin/new-client", [("id", Self.name())]),
        ] as [(String, [(String, String)])] {
            let refused = try await browser.post(page, fields + extra)
            #expect(refused.status == 403, "\(page)")
            let rows = try await gateway.audit(refused)
            let name = page.hasSuffix("/secret") ? "change_client" : "trust_client"
            #expect(rows.map(\.reason) == ["role_too_low"] && rows.map(\.action) == [name])
        }
        #expect(try await gateway.client(id)?.policy == "both_verified")
        #expect(try await gateway.client(id)?.digest == nil)
    }

    @Test("F2: an admin changes an app's name on the console, and not where its sessions go")
    func trust() async throws {
        let gateway = try GatewayProcess.current
        let id = try await gateway.makeClient()
        let browser = try await ConsoleOperator.browser(gateway, .admin)
        let (path, token) = ("/admin/clients/\(id)/change", try await browser.token())
        func changed(_ name: String, _ value: String) -> [(String, String)] {
            Self.holding(name, value) + [("form_token", token)]
        }
        for (name, value) in [("redirect_uris", "https://evil.example/cb"), ("origins", "https://evil.example")] {
            let refused = try await browser.post(path, changed(name, value))
            #expect(refused.status == 403, "\(refused.text)")
            let rows = try await gateway.audit(refused)
            #expect(rows.map(\.reason) == ["role_too_low"] && rows.map(\.action) == ["trust_client"])
        }
        #expect(try await gateway.client(id)?.origins == ["https://old.example.com"])
        #expect(try await browser.post(path, changed("name", "New name")).status == 200)
        #expect(try await browser.confirm("a better name").text.contains("App changed."))
        #expect(try await browser.visit("/admin/new-client").status == 403)
    }

    @Test("A form without this browser's token changes nothing, and an unknown app has no page")
    func forgery() async throws {
        let gateway = try GatewayProcess.current
        let id = try await gateway.makeClient()
        let browser = try await ConsoleOperator.browser(gateway, .owner)
        let fields = Self.settings + [("confirmed", "1"), ("reason", "not me")]
        #expect(try await browser.post("/admin/clients/\(id)/change", fields).status == 403)
        #expect(try await browser.post("/admin/clients/\(id)/secret", fields).status == 403)
        #expect(try await browser.post("/admin/new-client", fields + [("id", Self.name())]).status == 403)
        #expect(try await gateway.client(id)?.policy == "both_verified")
        for path in ["/admin/clients/no-such-app", "/admin/clients/%3Cb%3E/change"] {
            #expect(try await browser.visit(path).status == 404)
        }
    }
}

private struct StoredClient: Sendable {
    let digest: [UInt8]?
    let origins: [String]
    let policy: String
}

extension GatewayProcess {
    fileprivate func client(_ id: String) async throws -> StoredClient? {
        try await sql { connection in
            try connection.queryOne("select secret_digest, origins, linking_policy from clients where id = \(id)").map {
                StoredClient(digest: try $0.value(0), origins: try $0.value(1), policy: try $0.value(2))
            }
        }
    }

    /// The settings of a client, as the services show them.
    fileprivate func settings(of id: String) async throws -> JSON {
        try await sql { connection in try ClientDesk.load(id, connection) }
    }

    /// Its id.
    fileprivate func makeClient() async throws -> String {
        let id = ConsoleClientTests.name()
        try await change(
            "insert into clients (id, name, origins) values (\(id), 'Old <b>name</b>', '{https://old.example.com}')")
        return id
    }
}
