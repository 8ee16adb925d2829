import Cryptography
import Providers
import TestSupport
import Testing

@Suite("Login with Amazon in a browser")
struct AmazonRedirectTests {
    @Test(
        "every region has its own page and API",
        arguments: [
            (.northAmerica, "https://www.amazon.com", "https://api.amazon.com"),
            (.europe, "https://eu.account.amazon.com", "https://api.amazon.co.uk"),
            (.farEast, "https://apac.account.amazon.com", "https://api.amazon.co.jp"),
        ] as [(AmazonProvider.Region, String, String)])
    func regions(row: (region: AmazonProvider.Region, web: String, api: String)) async throws {
        let about = RedirectConformance.amazon(page: row.web + "/ap/oa", api: row.api) {
            $0.region = row.region
        }
        let stage = try RedirectStage(about)
        #expect(try await stage.parameters().page == about.page)
        #expect(await stage.redeem().word == "ok")
    }

    @Test("an endpoint replaces both the page and the API")
    func endpoint() async throws {
        let base = "http://amazon.localhost:8081/amazon"
        let about = RedirectConformance.amazon(page: base + "/ap/oa", api: base) {
            $0.endpoint = base
            $0.region = .europe
        }
        let stage = try RedirectStage(about)
        #expect(try await stage.parameters().page == about.page)
        #expect(await stage.redeem().word == "ok")
    }

    @Test("J-24, J-27: a token for any other client is refused before the profile request")
    func otherClient() async throws {
        for audience in ["second-client", "stranger", RedirectConformance.amazonClient + "x", ""] {
            let stage = try RedirectStage(.amazon)
            RedirectConformance.surroundAmazon(stage.far, api: "https://api.amazon.com", audience: audience)
            #expect(await stage.redeem() == .failure(.refused(.audienceMismatch)))
            #expect(stage.far.count("https://api.amazon.com/user/profile") == 0)
        }
    }

    @Test("without a secret, the client is an app, and no browser is sent to Amazon")
    func noSecret() async throws {
        let stage = try RedirectStage(.amazon { $0.clientSecret = nil })
        #expect(!stage.provider.canRedirect)
        #expect(await stage.startWord() == "misconfigured")
        #expect(await stage.redeem().word == "misconfigured")
        #expect(stage.far.calls.isEmpty)
    }

    @Test("the address is never verified")
    func email() async throws {
        let identity = try await RedirectStage(.amazon).redeem().get()
        #expect(identity.email == ExternalEmail(address: "ann@example.com", authority: .unverified))
        #expect(identity.upstreamTokens.isEmpty)
    }
}
