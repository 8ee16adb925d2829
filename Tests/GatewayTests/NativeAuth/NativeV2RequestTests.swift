import JSON
import Testing

@Suite("Native authentication, version 2: requests", .gateway())
struct NativeV2RequestTests {
    @Test("a start without a known app has the flat errors of an OAuth endpoint")
    func start() async throws {
        let api = try await NativeV2API.current
        let path = "/oauth2/v2.0/authorize-challenge"
        let missing = try await api.form(path, [("scope", "openid")])
        #expect(missing.status == 400 && missing.json["error"] == "invalid_request")
        let unknown = try await api.form(path, [("client_id", "00000000-0000-4000-8000-00000000dead")])
        #expect(unknown.json["error"] == "unauthorized_client" && unknown.json["error_codes"] == [700_016])
        var other = api
        other.tenant = "fabrikam.onmicrosoft.com"
        let foreign = try await other.form(path, [("client_id", NativeAuthAPI.application)])
        #expect(foreign.json["error"] == "unauthorized_client")
        other.tenant = NativeAuthAPI.tenantID
        let start = try await other.start()
        #expect(start.json["sign_in"]?.string?.hasPrefix("/\(NativeAuthAPI.tenantID)/api/v2.0/") == true)
    }

    @Test("a link takes JSON only, and a short object")
    func bodies() async throws {
        let api = try await NativeV2API.current
        let start = try await api.start()
        let path = try #require(start.json["sign_in"]?.string)
        let token = try #require(start.json["continuation_token"]?.string)
        let form = try await api.gateway.send(
            TestRequest("POST", path).form([("continuationToken", token), ("username", "a@b.example")]))
        #expect(form.status == 415 && form.json["error"]?["code"] == "invalidRequest", "\(form.text)")
        let text = try await api.gateway.send(TestRequest("POST", path).json("text"))
        #expect(text.status == 400 && text.json["error"]?["code"] == "invalidRequest", "\(text.text)")
        let long = try await api.post(path, token, ["username": .string(String(repeating: "a", count: 17_000))])
        #expect(long.code == "invalidRequest")
        let empty = try await api.post(path, token, ["username": ""])
        #expect(empty.message.contains("username parameter"), "\(empty.json.text)")
        let odd = try await api.post(path, token, ["username": "@"])
        #expect(odd.code == "invalidRequest" && odd.message.hasPrefix("AADSTS90100"), "\(odd.json.text)")
        #expect(try await api.post(path, token, ["username": .string(Fresh.email())]).action == "challenge")
    }

    @Test("a browser of a registered origin may call, also with PUT, and may read the start")
    func crossOrigin() async throws {
        let api = try await NativeV2API.current
        let asked = "client-request-id,content-type,x-client-sku"
        let preflight = try await api.gateway.send(
            TestRequest("OPTIONS", "/\(api.tenant)/api/v2.0/resetpassword/password").header("Origin", Deployment.origin)
                .header("Access-Control-Request-Method", "PUT").header("Access-Control-Request-Headers", asked))
        #expect(preflight.status == 204 && preflight.header("Access-Control-Allow-Headers") == asked)
        #expect(preflight.header("Access-Control-Allow-Methods")?.contains("PUT") == true)
        let start = try await api.gateway.send(
            TestRequest("POST", "/\(api.tenant)/oauth2/v2.0/authorize-challenge").header("Origin", Deployment.origin)
                .form([("client_id", NativeAuthAPI.application)]))
        #expect(start.status == 401 && start.header("Access-Control-Allow-Origin") == Deployment.origin)
        #expect(start.header("Access-Control-Expose-Headers")?.contains("x-ms-request-id") == true)
    }
}
