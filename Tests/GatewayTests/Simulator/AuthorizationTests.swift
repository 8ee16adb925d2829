import Cryptography
import JSON
import Testing

/// The simulated providers in a browser's view: accepted requests, returned answers, and their tokens.
@Suite("Simulated authorization", .simulated)
struct AuthorizationTests {
    @Test("an allowed request returns a code that gives tokens once", arguments: SimulatedAuthorization.plain)
    func allowed(app: SimulatedAuthorization) async throws {
        let simulator = try RunningSimulator.current
        let answer = try await authorize(app)
        #expect(answer["method"] == "GET")
        #expect(answer["url"]?.string?.hasPrefix(app.redirectURI + "?code=") == true)
        #expect(answer["fields"]?["state"]?.string == SimulatedAuthorization.state)
        #expect(answer["fields"]?["iss"]?.string == app.answerIssuer)
        let code = try #require(answer["fields"]?["code"]?.string)
        let tokens = try await simulator.client.send(app.exchange(code)).json
        #expect(tokens["access_token"]?.string?.isEmpty == false)
        if app.further["nonce"] != nil {
            let token = try JWT(parsing: try #require(tokens["id_token"]?.string))
            #expect(token.claims["nonce"]?.string == SimulatedAuthorization.nonce)
            #expect(token.claims["aud"]?.string == app.clientID)
            #expect(token.claims["email"] == "somebody@example.net")
        }
        let again = try await simulator.client.send(app.exchange(code)).json
        #expect((again["error"]?.string ?? again["error"]?["type"]?.string) == app.spentCode)
    }

    @Test(
        "a code gives no tokens without its verifier, redirect address or client secret",
        arguments: SimulatedAuthorization.plain)
    func bound(app: SimulatedAuthorization) async throws {
        let simulator = try RunningSimulator.current
        let wrong: [[String: String?]] = [
            ["code_verifier": String(repeating: "w", count: 43)], ["code_verifier": nil],
            ["redirect_uri": app.redirectURI + "/"], ["client_secret": "wrong"],
        ]
        for changes in wrong {
            let code = try #require(try await authorize(app)["fields"]?["code"]?.string)
            let answer = try await simulator.client.send(app.exchange(code, changes)).json
            #expect(answer["error"] != nil, "\(changes)")
            #expect(answer["access_token"] == nil, "\(changes)")
        }
    }

    @Test("a cancelled request returns the provider's own error", arguments: SimulatedAuthorization.plain + [.apple])
    func cancelled(app: SimulatedAuthorization) async throws {
        let fields = try await authorize(app, ["decision": "cancel"])["fields"]
        #expect(fields?["error"]?.string == (app.provider == "apple" ? "user_cancelled_authorize" : "access_denied"))
        #expect(fields?["state"]?.string == SimulatedAuthorization.state)
        #expect(fields?["code"] == nil)
    }

    @Test(
        "errors that may not be redirected are shown directly",
        arguments: SimulatedAuthorization.plain + [.apple],
        [
            ["redirect_uri": "http://localhost:8080/login/other/callback"], ["redirect_uri": "https://evil.example/"],
            ["client_id": "nobody"], ["unheard_of": "1"],
        ])
    func refused(app: SimulatedAuthorization, changes: [String: String]) async throws {
        let simulator = try RunningSimulator.current
        let answer = try await simulator.client.send(TestRequest("GET", app.request(changes.mapValues { $0 })))
        #expect((400..<500).contains(answer.status))
        #expect(answer.header("Location") == nil)
        #expect(answer.json["error"]?.string?.isEmpty == false)
    }

    @Test("a missing state returns an error, except at Apple", arguments: SimulatedAuthorization.plain + [.apple])
    func sentBack(app: SimulatedAuthorization) async throws {
        let simulator = try RunningSimulator.current
        let answer = try await simulator.client.send(TestRequest("GET", app.request(["state": nil])))
        guard app.provider != "apple" else {
            #expect(answer.status == 400)
            #expect(answer.json["error"] == "invalid_request")
            return
        }
        #expect(answer.status == 303)
        #expect(answer.header("Location")?.hasPrefix(app.redirectURI + "?error=invalid_request&") == true)
    }

    @Test("Apple posts a token with the code's hash, and the name only the first time")
    func apple() async throws {
        let person: JSONObject = ["subject": .string(Fresh.subject("apple")), "name": "Ann Example Person"]
        let first = try await authorize(.apple, person)
        #expect(first["method"] == "POST")
        #expect(first["url"]?.string == SimulatedAuthorization.apple.redirectURI)
        let code = try #require(first["fields"]?["code"]?.string)
        let token = try JWT(parsing: try #require(first["fields"]?["id_token"]?.string))
        #expect(token.claims["c_hash"]?.string == Base64URL.encode(Array(SHA256.hash(code).prefix(16))))
        #expect(token.claims["nonce"]?.string == SimulatedAuthorization.nonce)
        let user = try JSON(parsing: try #require(first["fields"]?["user"]?.string))
        #expect(user["name"] == ["firstName": "Ann", "lastName": "Example Person"])
        #expect(try await authorize(.apple, person)["fields"]?["user"] == nil)
    }

    @Test("the page shows the request escaped and posts it")
    func page() async throws {
        let simulator = try RunningSimulator.current
        let hostile = "\"><script>alert(1)</script>"
        let request = SimulatedAuthorization.acme.request(["login_hint": hostile])
        let page = try await simulator.client.send(TestRequest("GET", request))
        #expect(page.status == 200)
        #expect(!page.text.contains("<script"))
        #expect(page.text.contains("&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"))
        let query = try #require(request.split(separator: "?").last)
        let answer = try await simulator.client.send(
            TestRequest("POST", "/acme/authorize/consent").form([
                ("request", String(query)), ("decision", "fail"),
            ]))
        #expect(answer.status == 303)
        #expect(answer.header("Location")?.contains("error=server_error&") == true)
    }

    @Test("a redirect address counts from its registration, byte by byte, for its client only")
    func registeredAddress() async throws {
        let simulator = try RunningSimulator.current
        let address = "https://\(Fresh.text()).example/back?a=1"
        let request = SimulatedAuthorization.acme.request(["redirect_uri": address])
        #expect(try await simulator.client.send(TestRequest("GET", request)).status == 400)
        let registration: JSON = ["provider": "acme", "redirect_uri": .string(address)]
        let done = try await simulator.client.send(TestRequest("POST", "/control/redirect-uris").json(registration))
        #expect(done.status == 204)
        #expect(try await simulator.client.send(TestRequest("GET", request)).status == 200)
        let near = SimulatedAuthorization.acme.request(["redirect_uri": address + "0"])
        #expect(try await simulator.client.send(TestRequest("GET", near)).status == 400)
        let elsewhere = SimulatedAuthorization.google.request(["redirect_uri": address])
        #expect(try await simulator.client.send(TestRequest("GET", elsewhere)).status == 400)
    }

    /// The parameters for the redirect address.
    private func authorize(_ app: SimulatedAuthorization, _ further: JSONObject = [:]) async throws -> JSON {
        var members = further
        members["url"] = .string(app.request())
        if members["email"] == nil { members["email"] = "somebody@example.net" }
        let answer = try await RunningSimulator.current.client.send(
            TestRequest("POST", "/control/authorize").json(.object(members)))
        try #require(answer.status == 200, "\(answer.text)")
        return answer.json
    }
}
