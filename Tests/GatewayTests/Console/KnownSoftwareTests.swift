import JSON
import OperatorAccess
import Postgres
import Testing

@testable import Clients
@testable import Console

/// The settings of relying parties.
@Suite("The settings of relying parties")
struct KnownSoftwareTests {
    private static let provider = KnownSoftware.Provider(issuer: "https://login.example.org", clientID: "wiki-4")

    @Test("ten are known, each with a name and a part of the page of its own")
    func distinct() {
        #expect(KnownSoftware.known.count == 10)
        #expect(Set(KnownSoftware.known.map(\.name)).count == 10)
        #expect(Set(KnownSoftware.known.map(\.anchor)).count == 10)
    }

    @Test("each has the issuer and the client's id, and a place for the secret unless it is public")
    func values() {
        for software in KnownSoftware.known {
            let text = software.settings(Self.provider)
            #expect(text.contains(Self.provider.issuer), "\(software.name)")
            #expect(text.contains(Self.provider.clientID), "\(software.name)")
            #expect(text.contains(KnownSoftware.secret) != software.demands.contains(.isPublic), "\(software.name)")
        }
    }

    @Test("a client can register each redirect address, and settings that name one name the same")
    func redirects() {
        for software in KnownSoftware.known {
            #expect(RedirectURI(software.redirectURI) != nil, "\(software.name)")
            let lines = software.settings(Self.provider).split(separator: "\n")
            for line in lines where line.lowercased().contains("redirect_ur") || line.contains("OIDCRedirectURI") {
                #expect(line.contains(software.redirectURI), "\(software.name): \(line)")
            }
        }
    }
}

/// The same on the console, with code of the app.
@Suite("The console's quickstart of an app", .gateway())
struct QuickstartPageTests {
    @Test("the page of an app with a secret leads to it; it shows our addresses, and all settings with the app's id")
    func page() async throws {
        let gateway = try GatewayProcess.current
        let id = "r" + Fresh.text().lowercased().filter(\.isLetter)
        try await gateway.change(
            """
            insert into clients (id, name, type, secret_digest)
            values (\(id), 'Wiki <b>', 'confidential', sha256('secret'))
            """)
        let browser = try await ConsoleOperator.browser(gateway, .viewer)
        let path = "/admin/clients/\(id)/quickstart"
        #expect(try await browser.visit("/admin/clients/\(id)").links.contains(path))
        let document = try HTMLDocument(Array(try await browser.visit(path).text.utf8))
        let metadata = try await gateway.get("/.well-known/openid-configuration").json
        let issuer = try #require(metadata["issuer"]?.string)
        #expect(document.element(id: "issuer")?.text == issuer)
        #expect(document.element(id: "metadata")?.text == "\(issuer)/.well-known/openid-configuration")
        #expect(document.element(id: "client")?.text == id)
        for software in KnownSoftware.known {
            let texts = document.within(software.anchor).map(\.text)
            #expect(texts.contains(software.settings(.init(issuer: issuer, clientID: id))), "\(software.name)")
            #expect(texts.contains(software.redirectURI), "\(software.name)")
        }
        #expect(document.within("back_end").contains { $0.text.contains("curl -u \(id):CLIENT_SECRET") })
        let django = document.within("rp-django-allauth").map(\.text)
        #expect(django.contains { $0.contains("turn on in this app: Proof key (PKCE) optional.") }, "\(django)")
        #expect(try await browser.visit("/admin/clients/no-such-app/quickstart").status == 404)
    }

    @Test("code has the app's own redirect addresses, or says that one is missing; only its providers' are listed")
    func values() async throws {
        let gateway = try GatewayProcess.current
        let id = "q" + Fresh.text().lowercased().filter(\.isLetter)
        try await gateway.change(
            """
            insert into clients (id, name, redirect_uris, providers)
            values (\(id), 'Ducks', '{https://ducks.example.com/in}', '{password,google}')
            """)
        let browser = try await ConsoleOperator.browser(gateway, .viewer)
        let page = try await browser.visit("/admin/clients/\(id)/quickstart?done=made")
        let document = try HTMLDocument(Array(page.text.utf8))
        #expect(document.element(id: "done")?.text == "App added.")
        for platform in ["ios", "web", "back_end"] {
            #expect(document.within(platform).contains { $0.name == "code" && $0.text.contains(id) }, "\(platform)")
        }
        // Without a secret, nothing asks for one; of the known software, the one for public apps is left.
        #expect(!page.text.contains("CLIENT_SECRET"))
        let known = KnownSoftware.known.filter { document.element(id: $0.anchor) != nil }
        #expect(known.map(\.name) == ["Kubernetes"])
        #expect(document.within("web").contains { $0.text.contains("\"https://ducks.example.com/in\"") })
        func lacksAddress(_ part: String) -> Bool {
            document.within(part).contains { $0.text.contains("under: Redirect addresses.") }
        }
        #expect(lacksAddress("ios") && !lacksAddress("web"))
        let issuer = try #require(document.element(id: "issuer")?.text)
        let callbacks = document.within("callbacks").filter { $0.name == "code" }.map(\.text)
        #expect(callbacks == ["\(issuer)/login/google/callback"])
    }
}
