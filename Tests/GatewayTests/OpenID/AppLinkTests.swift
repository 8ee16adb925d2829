import JSON
import Testing

/// Redirect addresses that the system of a phone opens in the client's own app.
@Suite("Links of apps", .gateway()) struct AppLinkTests {
    private static let apple = "TEAM123456.com.example.shop"
    private static let fingerprint = Array(repeating: "CD", count: 32).joined(separator: ":")

    private static func register() async throws -> RelyingParty {
        try await RelyingParty.register(
            ["apple_apps": [.string(apple)], "android_apps": [.string("com.example.shop:\(fingerprint)")]])
    }

    @Test("the files name each client's own address, and nothing for a client without apps")
    func files() async throws {
        let (party, other) = (try await Self.register(), try await RelyingParty.register())
        let file = try await party.gateway.get("/.well-known/apple-app-site-association").json
        let details = file["applinks"]?["details"]?.array ?? []
        let mine: JSON = ["appIDs": [.string(Self.apple)], "components": [["/": .string("/app/\(party.id)")]]]
        #expect(details.contains(mine))
        #expect(!JSON.array(details).text.contains(other.id))
        let statements = try await party.gateway.get("/.well-known/assetlinks.json").json.array ?? []
        let statement: JSON = [
            "relation": ["delegate_permission/common.handle_all_urls"],
            "target": [
                "namespace": "android_app", "package_name": "com.example.shop",
                "sha256_cert_fingerprints": [.string(Self.fingerprint)],
            ],
        ]
        #expect(statements.contains(statement))
    }

    @Test("a browser at the address gets a page that names the app, and keeps the code")
    func page() async throws {
        let (party, other) = (try await Self.register(), try await RelyingParty.register())
        let page = try await party.gateway.get("/app/\(party.id)?code=hc_secret&state=s")
        #expect(page.status == 200 && page.text.contains("Go back to"))
        #expect(!page.text.contains("hc_secret") && page.header("Referrer-Policy") == "no-referrer")
        #expect(page.header("Cache-Control") == "no-store")
        for id in [other.id, "nobody"] {
            #expect(try await party.gateway.get("/app/\(id)").status == 404)
        }
    }
}
