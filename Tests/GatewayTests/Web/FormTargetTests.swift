import Clients
import Testing
import Vocabulary

@testable import Pages

@Suite("Targets of forms")
struct FormTargetTests {
    private static func client(origins: [String], redirectURIs: [String]) -> Client {
        Client(
            id: "app", name: "App", secret: nil, origins: origins, redirectURIs: redirectURIs, providers: [],
            linkingPolicy: LinkingPolicy(bothVerified: .link), accessTokenLife: 600, refreshIdle: 600,
            refreshMaximum: 600)
    }

    @Test(
        "to the requested address, and on to the app's other addresses, each once",
        arguments: [
            (
                "https://www.example.com/back",
                ["https://www.example.com", "org.example.app:", "https://app.example.com"]
            ),
            ("org.example.app:/back", ["org.example.app:", "https://www.example.com", "https://app.example.com"]),
        ])
    func others(address: String, targets: [String]) throws {
        let client = Self.client(
            origins: ["https://app.example.com", "https://www.example.com"],
            redirectURIs: ["https://www.example.com/back", "org.example.app:/back"])
        #expect(client.formTargets(endingAt: try #require(RedirectURI(address))) == targets)
    }

    @Test("an IPv6 address, which no policy can name, is allowed only if requested")
    func loopback() throws {
        let client = Self.client(origins: [], redirectURIs: ["http://[::1]/back", "https://www.example.com/back"])
        let asked = try #require(RedirectURI("https://www.example.com/back"))
        #expect(client.formTargets(endingAt: asked) == ["https://www.example.com"])
        let local = try #require(RedirectURI("http://[::1]:5000/back"))
        #expect(client.formTargets(endingAt: local) == ["http:", "https://www.example.com"])
    }

    @Test("without the requested address, to all of the app's, and to any port of the computer where the app has one")
    func stored() {
        let client = Self.client(
            origins: ["https://app.example.com", "https://www.example.com"],
            redirectURIs: [
                "https://www.example.com/back", "org.example.app:/back", "http://127.0.0.1/back",
                "http://localhost:3000/back",
            ])
        let targets = [
            "https://www.example.com", "org.example.app:", "http://127.0.0.1:*", "http://localhost:*",
            "https://app.example.com",
        ]
        #expect(client.formTargets == targets)
        let local = Self.client(origins: [], redirectURIs: ["http://[::1]/back"])
        #expect(local.formTargets == ["http:"])
    }
}
