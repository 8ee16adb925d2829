import Postgres
import Testing

/// `GET /`, unknown paths and the icon.
@Suite(.gateway())
struct StartPageTests {
    static let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

    private static func get(_ path: String, _ headers: [String: String] = [:]) async throws -> TestAnswer {
        try await page("GET", path, headers)
    }

    private static func page(
        _ method: String, _ path: String, _ headers: [String: String] = [:]
    ) async throws -> TestAnswer {
        var request = TestRequest(method, path).header("Accept", browser)
        for (name, value) in headers { request = request.header(name, value) }
        return try await GatewayProcess.current.send(request)
    }

    @Test("the start page leads to the sign-in, and after it to the account")
    func start() async throws {
        let gateway = try GatewayProcess.current
        #expect(try await Self.get("/").header("Location") == "/login")
        let email = Fresh.email()
        _ = try await gateway.signUp(email)
        let browser = try await PageBrowser.signedIn(gateway, email)
        browser.headers = [("Accept", Self.browser)]
        let answer = try await browser.send(TestRequest("GET", "/"))
        #expect(answer.status == 303)
        #expect(answer.header("Location") == "/account")
        let account = try await browser.visit("/")
        #expect(account.status == 200)
        #expect(account.text.contains(email))
    }

    @Test("without an app for the account page, the start page describes the server")
    func welcome() async throws {
        try await withGateway(["CLIENT_ID": nil, "CLIENT_SECRET": nil, "CLIENT_ORIGINS": nil]) { gateway in
            for (language, heading) in [
                ("en", "This is a sign-in server"), ("de", "Dies ist ein Anmeldeserver"), ("ru", "Это сервер входа"),
                ("ja", "ここはサインイン用のサーバーです"), ("zh-Hans", "这是一个登录服务器"),
            ] {
                let request = TestRequest("GET", "/").header("Accept", Self.browser)
                let answer = try await gateway.send(request.header("Accept-Language", language))
                #expect(answer.status == 200)
                let document = try HTMLDocument(answer.body)
                #expect(document.all("h1").map(\.text) == [heading])
            }
        }
    }

    @Test(
        "an unknown path is a page for a browser, in its language",
        arguments: [
            ("en", "Page not found"), ("de", "Seite nicht gefunden"), ("ru", "Страница не найдена"),
            ("ja", "ページが見つかりません"), ("zh-Hans", "找不到页面"),
        ])
    func unknown(language: String, heading: String) async throws {
        for path in ["/nowhere", "/v1/nowhere", "/errors/no_such_code"] {
            let answer = try await Self.get(path, ["Accept-Language": language])
            #expect(answer.status == 404)
            #expect(answer.header("Content-Type") == "text/html; charset=utf-8")
            #expect(answer.header("Cache-Control") == "no-store")
            #expect(answer.header("Set-Cookie") == nil)
            let varies = answer.headers.filter { $0.name.lowercased() == "vary" }.map(\.value)
            #expect(varies.contains("Accept"))
            let document = try HTMLDocument(answer.body)
            #expect(document.all("html").map { $0.attributes["lang"] } == [language])
            #expect(document.all("h1").map(\.text) == [heading])
            #expect(document.element(id: "action-to_start")?.attributes["href"] == "/")
        }
    }

    @Test("another caller gets a problem document", arguments: ["*/*", "application/json", nil] as [String?])
    func problem(accept: String?) async throws {
        for path in ["/", "/nowhere", "/errors/no_such_code"] {
            let plain = TestRequest("GET", path)
            let answer = try await GatewayProcess.current.send(accept.map { plain.header("Accept", $0) } ?? plain)
            #expect(answer.status == 404, "\(path)")
            #expect(answer.header("Content-Type") == "application/problem+json")
            #expect(answer.code == "not_found")
        }
    }

    @Test("HEAD of an unknown path has the page's headers and no body")
    func head() async throws {
        let answer = try await Self.page("HEAD", "/nowhere")
        #expect(answer.status == 404)
        #expect(answer.header("Content-Type") == "text/html; charset=utf-8")
        #expect(answer.body.isEmpty)
    }

    @Test("a page that takes only posts answers a browser with a page that names the methods")
    func method() async throws {
        let answer = try await Self.get("/login/continue")
        #expect(answer.status == 405)
        #expect(answer.header("Allow") == "POST")
        #expect(answer.header("Content-Type") == "text/html; charset=utf-8")
    }

    @Test("an unknown path leaves no audit row")
    func audit() async throws {
        let gateway = try GatewayProcess.current
        let unknown = try await Self.get("/nowhere")
        #expect(unknown.status == 404)
        // Refusals are written in their order, so the row of a later one shows that an earlier one would be there.
        let refused = try await Self.get("/login?client_id=no-such-app")
        #expect(try await gateway.audit(refused).map(\.reason) == ["client_unknown"])
        let id = unknown.requestID
        #expect(try await gateway.count("select count(*) from audit_events where request_id = \(id)") == 0)
    }

    @Test("the icon is an ICO file with images of 16, 32 and 48 pixels")
    func icon() async throws {
        let answer = try await Self.get("/favicon.ico")
        #expect(answer.status == 200)
        #expect(answer.header("Content-Type") == "image/x-icon")
        #expect(answer.header("Cache-Control") == "public, max-age=86400")
        // Reserved 0, type 1, three images; each entry has 16 bytes and begins with the width.
        #expect(Array(answer.body.prefix(6)) == [0, 0, 1, 0, 3, 0])
        #expect([6, 22, 38].map { answer.body[$0] } == [16, 32, 48])
    }
}
