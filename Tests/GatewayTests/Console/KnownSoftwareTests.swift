import JSON
import OperatorAccess
import Postgres
import TestSupport
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

/// The same on the console.
@Suite("The console's page about relying parties", .gateway())
struct RelyingPartyPageTests {
    @Test("an app's page leads to it; it shows our addresses, and all settings with the app's id")
    func page() async throws {
        let gateway = try GatewayProcess.current
        let id = "r" + Fresh.text().lowercased().filter(\.isLetter)
        try await gateway.change("insert into clients (id, name) values (\(id), 'Wiki <b>')")
        let browser = try await ConsoleOperator.browser(gateway, .viewer)
        let path = "/admin/clients/\(id)/relying-party"
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
        let django = document.within("rp-django-allauth").map(\.text)
        #expect(django.contains { $0.contains("turn on in this app: Proof key (PKCE) optional.") }, "\(django)")
        #expect(try await browser.visit("/admin/clients/no-such-app/relying-party").status == 404)
    }
}
