import Cryptography
import Foundation
import JSON
import Postgres
import Testing

/// Devices that ask for other apps' APIs (RFC 8628, RFC 8707).
extension OpenIDTests {
    private static let on: JSONObject = ["device_flow": true]

    /// Registers an API that these apps may ask for, and returns its identifier.
    private static func api(_ name: String, clients: JSON = ["*"]) async throws -> String {
        let identifier = "https://\(Fresh.text()).example/\(name)"
        let served: JSON = [
            "identifier": .string(identifier), "name": .string(name), "clients": clients,
            "scopes": [
                "\(name):read": .string("Read in \(name)"), "\(name):write": .string("Change in \(name)"),
            ],
        ]
        _ = try await RelyingParty.register(["resources": [served]])
        return identifier
    }

    private static func claims(_ token: String) throws -> JSON {
        try JSON(parsing: try #require(Base64URL.decode(token.split(separator: ".")[1])))
    }

    @Test("The page shows what a device may do at an API, and the poll gives a token for it with what was ticked")
    func deviceResource() async throws {
        let files = try await Self.api("files")
        let party = try await RelyingParty.register(["device_flow": true, "third_party": true])
        let device = try await TestDevice.start(
            party, scope: "openid offline_access files:read files:write", resources: [files])
        let visitor = try await Visitor.arrive()
        try await visitor.enter(device.userCode)
        let page = visitor.browser.page.text
        let host = try #require(URL(string: files)?.host())
        #expect(page.contains(host) && page.contains("Read in files") && page.contains("Change in files"))
        let fields = try visitor.question().fields.filter { $0.0 != "scope_\(files) files:write" }
        try await visitor.browser.post("/device/answer", fields + [("decision", "allow")])
        let tokens = try await device.tokens()
        #expect(tokens.json["scope"] == "openid offline_access files:read")
        let claims = try Self.claims(tokens.access)
        #expect(claims["aud"]?.string == files && claims["scope"] == "files:read")
        // It opens nothing at the gateway.
        #expect(try await party.userInfo(tokens.access).status == 401)
        let refreshed = try await party.gateway.form(
            "/v1/token", [("grant_type", "refresh_token"), ("refresh_token", tokens.refresh)], client: party.id,
            secret: party.secret)
        let access = try #require(refreshed.json["access_token"]?.string, "\(refreshed.text)")
        #expect(try Self.claims(access)["aud"]?.string == files)
        let stored: [String]? = try await party.gateway.sql {
            try $0.queryOne("select scopes from app_grants where client_id = \(party.id)")?.value(0)
        }
        #expect(Set(stored ?? []) == ["openid", "offline_access", files, "\(files) files:read"])
    }

    @Test("Of several APIs the poll names one; without a name, or with another one, it gets nothing and spends nothing")
    func severalDeviceResources() async throws {
        let (files, mail) = (try await Self.api("files"), try await Self.api("mail"))
        let party = try await RelyingParty.register(Self.on)
        let issuer = try #require(
            try await party.gateway.get("/.well-known/openid-configuration").json["issuer"]?.string)
        let device = try await TestDevice.start(party, scope: "openid mail:read", resources: [files, mail])
        try await device.allowed()
        for resource in [nil, issuer, party.id, "https://unknown.example"] {
            let refused = try await device.poll(resource: resource)
            #expect(refused.status == 400 && refused.json["error"] == "invalid_target", "\(refused.text)")
        }
        let claims = try Self.claims(try await device.tokens(for: mail).access)
        #expect(claims["aud"]?.string == mail && claims["scope"] == "mail:read")
    }

    @Test("An API that is unknown, or whose operator does not list the app, is invalid_target for a device")
    func unlistedDevice() async throws {
        let party = try await RelyingParty.register(Self.on)
        let closed = try await Self.api("closed", clients: ["another"])
        for resource in [closed, "https://unknown.example", "no address"] {
            let answer = try await TestDevice.request(party, scope: "openid", resources: [resource])
            #expect(answer.status == 400 && answer.json["error"] == "invalid_target", "\(answer.text)")
        }
        let scope = try await TestDevice.request(party, scope: "files:read", resources: [try await Self.api("mail")])
        #expect(scope.json["error"] == "invalid_scope")
    }

    @Test("An API that its operator closes meanwhile is granted to no device")
    func closedMeanwhile() async throws {
        let identifier = "https://\(Fresh.text()).example/files"
        func served(_ clients: JSON) -> JSONText {
            JSONText(
                JSON.object([
                    "resources": [["identifier": .string(identifier), "name": "Files", "clients": clients]]
                ]).text)
        }
        let server = try await RelyingParty.register()
        let party = try await RelyingParty.register(Self.on)
        func change(_ clients: JSON) async throws {
            try await party.gateway.change("update clients set openid = \(served(clients)) where id = \(server.id)")
            try await party.gateway.addClient("after-\(Fresh.text())", secret: nil)
        }
        try await change(["*"])
        let device = try await TestDevice.start(party, scope: "openid", resources: [identifier])
        let visitor = try await Visitor.arrive()
        try await visitor.enter(device.userCode)
        let form = try visitor.question()
        try await change([])
        #expect(try await visitor.browser.post("/device/answer", form.fields + [("decision", "allow")]).status >= 400)
        try await visitor.browser.submitCode(device.userCode)
        #expect(visitor.browser.page.status == 400)
        #expect(try await device.poll().json["error"] == "authorization_pending")
    }
}

extension PageBrowser {
    /// Types the code of a device.
    fileprivate func submitCode(_ code: String) async throws {
        try await visit("/device")
        try await submit("/device", ["user_code": code])
    }
}
