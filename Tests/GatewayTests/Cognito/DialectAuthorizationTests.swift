import Foundation
import JSON
import Postgres
import TestSupport
import Testing

/// The authorization endpoints: that of the gateway, of a user pool, and of a tenant.
enum AuthorizationDoor: String, CaseIterable, Sendable {
    case gateway, pool, tenant

    static let redirectURIs = "org.example.app:/back,https://app.example.org/back"
    static let website = "https%3A%2F%2Fapp.example.org%2Fback"
    static let challenge = "code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256"

    var path: String {
        switch self {
        case .gateway: "/login"
        case .pool: "/oauth2/authorize"
        case .tenant: "/\(NativeAuthAPI.tenantName)/oauth2/v2.0/authorize"
        }
    }

    var client: String {
        switch self {
        case .gateway: "app"
        case .pool: "4example"
        case .tenant: NativeAuthAPI.application
        }
    }

    private var metadata: String {
        switch self {
        case .gateway: "/.well-known/openid-configuration"
        case .pool: "/\(CognitoAPI.pool)/.well-known/openid-configuration"
        case .tenant: "/\(NativeAuthAPI.tenantName)/v2.0/.well-known/openid-configuration"
        }
    }

    /// The document that a client reads before it trusts an answer.
    func document(_ gateway: GatewayProcess) async throws -> JSON { try await gateway.get(metadata).json }

    /// A request for a code.
    func request(_ more: String = "", to uri: String = website, challenge: String = challenge) -> String {
        "\(path)?response_type=code&client_id=\(client)&redirect_uri=\(uri)&state=st&\(challenge)&\(more)"
    }

    /// The suite's gateway, with both dialects for the app `app`.
    static func enabled() async throws -> GatewayProcess {
        let gateway = try GatewayProcess.current
        let dialects = JSON.object([
            "cognito": ["pool_id": .string(CognitoAPI.pool), "client_id": "4example"],
            "native_auth": [
                "tenant_id": .string(NativeAuthAPI.tenantID), "tenant_name": .string(NativeAuthAPI.tenantName),
                "application_id": .string(NativeAuthAPI.application),
            ],
        ])
        try await gateway.change(
            "update clients set dialects = \(JSONText(dialects.text)) where id = 'app' and dialects <> \(JSONText(dialects.text))"
        )
        try await poll {
            let pool = try await gateway.get("/\(CognitoAPI.pool)/.well-known/jwks.json").json["keys"]?.array ?? []
            let tenant = try await gateway.get("/\(NativeAuthAPI.tenantID)/discovery/v2.0/keys").json["keys"]?.array
            return pool.isEmpty || tenant?.isEmpty != false ? nil : ()
        }
        return gateway
    }
}

@Suite(
    "Authorization requests at every door", .gateway(["CLIENT_REDIRECT_URIS": AuthorizationDoor.redirectURIs]))
struct DialectAuthorizationTests {
    /// The parameters after a character of the address that the browser leaves to.
    private static func parameters(_ browser: PageBrowser, after mark: Character) -> [String: String] {
        let text = browser.departure?.split(separator: mark, maxSplits: 1).dropFirst().first.map(String.init) ?? ""
        let items = URLComponents(string: "/?\(text)")?.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
    }

    @Test(
        "3-C1: codes and errors name the issuer that the door's metadata publishes",
        arguments: AuthorizationDoor.allCases)
    func issuer(door: AuthorizationDoor) async throws {
        let gateway = try await AuthorizationDoor.enabled()
        let document = try await door.document(gateway)
        let issuer = try #require(document["issuer"]?.string)
        #expect(document["authorization_response_iss_parameter_supported"] == true)
        let email = Fresh.email()
        _ = try await gateway.signUp(email)
        let browser = try await PageBrowser.open(gateway, door.request())
        try await browser.passwordSignIn(email)
        #expect(
            browser.departureQuery["iss"] == issuer && browser.departureQuery["code"] != nil, "\(browser.page.text)")
        let wrong = try await PageBrowser.open(gateway, door.request(challenge: "code_challenge=short"))
        #expect(wrong.departureQuery["error"] == "invalid_request" && wrong.departureQuery["iss"] == issuer)
        // The way through a provider keeps the door in its sealed state.
        let federated = try await PageBrowser.open(gateway, door.request())
        let answer = try await gateway.simulator.authorize(
            try await federated.follow(link: "google"), ["email": .string(Fresh.email())])
        try await federated.comeBack(answer)
        #expect(federated.departureQuery["iss"] == issuer && federated.departureQuery["code"] != nil)
    }

    @Test("3-C2: the answer arrives in the fragment if the app asks for it", arguments: AuthorizationDoor.allCases)
    func fragment(door: AuthorizationDoor) async throws {
        let gateway = try await AuthorizationDoor.enabled()
        let email = Fresh.email()
        _ = try await gateway.signUp(email)
        let browser = try await PageBrowser.open(gateway, door.request("response_mode=fragment"))
        try await browser.passwordSignIn(email)
        #expect(browser.departure?.hasPrefix("https://app.example.org/back#code=hc_") == true, "\(browser.page.text)")
        #expect(Self.parameters(browser, after: "#")["state"] == "st")
        let silent = try await PageBrowser.open(gateway, door.request("response_mode=fragment&prompt=none"))
        #expect(Self.parameters(silent, after: "#")["error"] == "login_required")
        #expect(silent.departure?.contains("?") == false)
    }

    @Test("3-C2: the answer is posted if the app asks for it, an error too", arguments: AuthorizationDoor.allCases)
    func formPost(door: AuthorizationDoor) async throws {
        let gateway = try await AuthorizationDoor.enabled()
        let email = Fresh.email()
        _ = try await gateway.signUp(email)
        let browser = try await PageBrowser.open(gateway, door.request("response_mode=form_post"))
        try await browser.passwordSignIn(email)
        let silent = try await PageBrowser.open(gateway, door.request("response_mode=form_post&prompt=none"))
        for (page, name) in [(browser.page, "code"), (silent.page, "error")] {
            let form = try #require(page.forms.first { $0.action == "https://app.example.org/back" }, "\(page.text)")
            #expect(form.fields.contains { $0.0 == name } && form.fields.contains { $0 == ("state", "st") })
            let policy = try #require(page.header("Content-Security-Policy"))
            #expect(policy.contains("form-action 'self' https://app.example.org "), "\(policy)")
        }
    }

    @Test(
        "3-C2: a mode or prompt that a door can't serve is refused by its name",
        arguments: AuthorizationDoor.allCases,
        [
            ("response_mode=web_message", "response_mode"), ("prompt=later", "prompt"),
            ("prompt=none%20login", "prompt"),
        ])
    func refused(door: AuthorizationDoor, asked: (text: String, name: String)) async throws {
        let gateway = try await AuthorizationDoor.enabled()
        let browser = try await PageBrowser.open(gateway, door.request(asked.text))
        #expect(browser.departureQuery["error"] == "invalid_request", "\(browser.page.text)")
        #expect(browser.departureQuery["error_description"]?.hasPrefix("\(asked.name): ") == true)
        // An app's own scheme takes no form.
        let scheme = try await PageBrowser.open(
            gateway, door.request("response_mode=form_post", to: "org.example.app%3A%2Fback"))
        #expect(scheme.departureQuery["error"] == "invalid_request")
    }

    @Test("3-C2: a prompt is followed, and a hint fills the name", arguments: AuthorizationDoor.allCases)
    func prompts(door: AuthorizationDoor) async throws {
        let gateway = try await AuthorizationDoor.enabled()
        let silent = try await PageBrowser.open(gateway, door.request("prompt=none"))
        #expect(silent.departureQuery["error"] == "login_required" && silent.departureQuery["state"] == "st")
        let hinted = try await PageBrowser.open(gateway, door.request("login_hint=ann%40example.com"))
        let fields = try #require(hinted.page.forms.first { $0.action == "/login" }?.fields)
        #expect(fields.contains { $0 == ("username", "ann@example.com") }, "\(fields)")
        let signUp = try await PageBrowser.open(gateway, door.request("prompt=create"))
        #expect(signUp.page.forms.contains { $0.action == "/sign-up" })
        // Each button asks its provider anew.
        for prompt in ["login", "select_account"] {
            let anew = try await PageBrowser.open(gateway, door.request("prompt=\(prompt)"))
            #expect(try await anew.follow(link: "google").contains("prompt="))
        }
    }

    @Test(
        "3-C2: a silent request to Cognito's own pages is answered without a page",
        arguments: ["login", "signup", "forgotPassword"])
    func silentPages(path: String) async throws {
        let gateway = try await AuthorizationDoor.enabled()
        let query = AuthorizationDoor.pool.request("prompt=none").dropFirst(AuthorizationDoor.pool.path.count)
        let browser = try await PageBrowser.open(gateway, "/\(path)\(query)")
        #expect(browser.departureQuery["error"] == "login_required", "\(browser.page.text)")
        #expect(browser.departureQuery["state"] == "st")
    }

    @Test("3-C2: a website with a cookie session is answered silently, or told that it has none")
    func silentCookie() async throws {
        let gateway = try await AuthorizationDoor.enabled()
        let silent = "/login?client_id=app&redirect_uri=\(AuthorizationDoor.website)&prompt=none"
        let browser = try await PageBrowser.open(gateway, silent)
        #expect(browser.departureQuery["error"] == "login_required", "\(browser.page.text)")
        let email = Fresh.email()
        _ = try await gateway.signUp(email)
        try await browser.visit("/login?client_id=app&redirect_uri=\(AuthorizationDoor.website)")
        try await browser.passwordSignIn(email)
        try await browser.visit(silent)
        #expect(browser.departure == "https://app.example.org/back")
    }

    @Test("3-C2: MSAL's sign-out ends a session of the tenant's apps only, and leads to a registered address only")
    func tenantLogout() async throws {
        let gateway = try await AuthorizationDoor.enabled()
        let document = try await AuthorizationDoor.tenant.document(gateway)
        let path = try #require(document["end_session_endpoint"]?.string.flatMap(URLComponents.init(string:))?.path)
        let back = "\(path)?post_logout_redirect_uri=\(AuthorizationDoor.website)&state=st"
        let email = Fresh.email()
        _ = try await gateway.signUp(email)
        let browser = try await PageBrowser.open(gateway, "/login")
        try await browser.passwordSignIn(email)
        let evil = try await browser.send(
            TestRequest("GET", "\(path)?post_logout_redirect_uri=https%3A%2F%2Fevil.example%2F"))
        #expect(evil.status == 400)
        #expect(try await browser.send(TestRequest("GET", "/v1/session")).status == 200)
        let answer = try await browser.send(TestRequest("GET", back))
        #expect(answer.header("Location") == "https://app.example.org/back?state=st", "\(answer.text)")
        #expect(try await browser.send(TestRequest("GET", "/v1/session")).status == 401)
        let foreign = try await SigningUpClient(names: ["email"]).add(gateway)
        let other = try await PageBrowser.open(gateway, "/login?client_id=\(foreign)")
        try await other.passwordSignIn(email)
        let session = try #require(other.cookies["__Host-session"])
        _ = try await other.send(TestRequest("GET", back))
        other.setCookie("__Host-session", session)
        try await other.visit("/account")
        #expect(other.page.status == 200 && other.page.text.contains(email), "\(other.page.text)")
    }

    @Test(
        "3-C11: Cognito's own pages open with the parameters of its domain",
        arguments: ["login", "signup", "forgotPassword"])
    func pages(path: String) async throws {
        let gateway = try await AuthorizationDoor.enabled()
        let query = AuthorizationDoor.pool.request("lang=de").dropFirst(AuthorizationDoor.pool.path.count)
        let browser = try await PageBrowser.open(gateway, "/\(path)\(query)")
        let target = ["login": "/login", "signup": "/sign-up", "forgotPassword": "/forgot"][path]
        let form = try #require(browser.page.forms.first { $0.action == target }, "\(browser.page.text)")
        #expect(form.fields.contains { $0 == ("client_id", "app") } && form.fields.contains { $0 == ("state", "st") })
        #expect(browser.page.text.contains("lang=\"de\""))
    }
}
