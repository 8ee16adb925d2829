import JSON
import Outbound
import Providers
import TestSupport
import Testing

@Suite("OpenID Connect in a browser")
struct OpenIDConnectRedirectTests {
    private static let discovery = "https://id.acme.example/.well-known/openid-configuration"

    private static func document(_ page: String, more: String = "") -> HTTPResponse {
        .json(
            #"{"issuer":"https://id.acme.example","jwks_uri":"https://id.acme.example/keys","#
                + #""token_endpoint":"https://id.acme.example/token","authorization_endpoint":\#(page)\#(more)}"#)
    }

    @Test("the user's languages are sent in their order")
    func locales() async throws {
        let fields = try await RedirectStage(.acme).parameters(locales: ["de-CH", "de", "en"]).fields
        #expect(fields["ui_locales"] == "de-CH de en")
        #expect(fields.count == RedirectConformance.acme.parameters.count + 5)
    }

    @Test(
        "D4: a re-authentication makes the provider authenticate the user again",
        arguments: [
            (RedirectConformance.acme, ["prompt": "login", "max_age": "0"], true),
            (.google, ["prompt": "select_account"], false), (.microsoft, ["prompt": "login"], false),
            (.github, ["prompt": "select_account"], false), (.apple, [:], false), (.amazon, [:], false),
        ])
    func reauthentication(about: RedirectConformance, asked: [String: String], tellsTime: Bool) async throws {
        let provider = try RedirectStage(about).provider
        let url = try await provider.authorizationURL(RedirectStage.start(isReauthentication: true))
        let fields = FarSide.fields(of: String(url.split(separator: "?", maxSplits: 1)[1]))
        #expect(fields.filter { ["prompt", "max_age"].contains($0.key) } == asked)
        #expect(provider.tellsSignInTime == tellsTime)
    }

    @Test("a page address may have its own query")
    func query() async throws {
        let page = "https://id.acme.example/authorize?tenant=a"
        let stage = try RedirectStage(.openIDConnect(.acme, page: page))
        let url = try await stage.provider.authorizationURL(RedirectStage.start())
        #expect(url.hasPrefix(page + "&client_id=acme-client&redirect_uri="))
    }

    @Test(
        "an untrusted page invalidates the whole document",
        arguments: [
            #""http://id.acme.example/authorize""#, #""javascript:alert(1)""#, #""/authorize""#, "7", "null",
            #""https://user:pw@id.acme.example/authorize""#, #""https://id.acme.example/authorize#x""#,
            #""https://127.0.0.1/authorize""#, #""https://idp.localhost/authorize""#,
            #""https://id.acme.example/a\r\nX: y""#, #""https://id.acme.example/\"><script>""#,
        ])
    func badPage(page: String) async throws {
        let stage = try RedirectStage(.acme)
        stage.far[Self.discovery] = .init { _ in .success(Self.document(page)) }
        #expect(await stage.startWord() == "unavailable")
        #expect(await stage.redeem().word == "unavailable")
        #expect(stage.exchanges == 0)
    }

    @Test("an issuer without a page is a configuration error")
    func noPage() async throws {
        let stage = try RedirectStage(.acme)
        let discovery = try #require(ProviderConformance.acme.discovery)
        stage.far[discovery.url] = .init { _ in .success(.json(discovery.text)) }
        #expect(await stage.startWord() == "misconfigured")
    }

    @Test(
        "W-04: an announced iss parameter is required (RFC 9207 §2.4)",
        arguments: [("true", false), ("false", true), (#""true""#, true), ("1", true), ("null", true)])
    func promisedIssuer(row: (value: String, acceptsNone: Bool)) async throws {
        let more = #","authorization_response_iss_parameter_supported":\#(row.value)"#
        let provider = try RedirectStage(.openIDConnect(.acme, more: more)).provider
        #expect(try await provider.acceptsIssuer(nil) == row.acceptsNone)
        #expect(try await provider.acceptsIssuer("https://id.acme.example"))
        #expect(try await !provider.acceptsIssuer("https://id.acme.example/"))
    }

    @Test("both spellings of Google's issuer are accepted")
    func googleIssuers() async throws {
        let provider = try RedirectStage(.google).provider
        #expect(try await provider.acceptsIssuer("accounts.google.com"))
        #expect(try await !provider.acceptsIssuer("http://accounts.google.com"))
    }

    @Test("a refreshed document with a page on another host is refused")
    func movedPage() async throws {
        let stage = try RedirectStage(.acme)
        #expect(await stage.redeem().word == "ok")
        stage.far[Self.discovery] = .init { _ in .success(Self.document(#""https://moved.example/authorize""#)) }
        let documents = try #require(stage.provider as? any KeepsDocuments)
        while stage.far.count(Self.discovery) < 3 {
            stage.clock.advance(by: .seconds(3_601))
            await documents.refreshDue()
        }
        #expect(try await stage.parameters().page == RedirectConformance.acme.page)
    }

    @Test("the page may be below a configured endpoint, without TLS")
    func endpoint() async throws {
        let base = "http://acme.localhost:8081/acme"
        let stage = try RedirectStage(.openIDConnect(.acme) { $0.endpoint = base })
        stage.far[base + "/.well-known/openid-configuration"] = .init { _ in
            .success(
                .json(
                    #"{"issuer":"https://id.acme.example","jwks_uri":"\#(base)/keys","#
                        + #""authorization_endpoint":"\#(base)/authorize"}"#))
        }
        #expect(try await stage.parameters().page == base + "/authorize")
    }

    @Test("a required hosted domain applies to browsers too")
    func hostedDomain() async throws {
        let stage = try RedirectStage(.openIDConnect(.acme) { $0.hostedDomain = "example.com" })
        #expect(await stage.redeem().word == "ok")
        try stage.sell(["hd": "other.example"])
        #expect(await stage.redeem().word == "domain_not_allowed")
    }

    @Test("the secret is sent by HTTP Basic unless the issuer announces the form")
    func basic() async throws {
        let stage = try RedirectStage(.acme)
        stage.far[Self.discovery] = .init { _ in .success(Self.document(#""https://id.acme.example/authorize""#)) }
        let claims = TokenMint.merged(ProviderConformance.acme.claims, ["nonce": .string(RedirectStage.nonce)])
        let token = try TokenMint.token(claims)
        stage.far[RedirectConformance.acme.tokenURL] = .init(
            method: .post,
            // base64 of "acme-client:s%2Bcret".
            headers: ["accept": "application/json", "authorization": "Basic YWNtZS1jbGllbnQ6cyUyQmNyZXQ="],
            fields: ["grant_type", "code", "redirect_uri", "code_verifier"],
            answer: { _ in .success(.json(#"{"access_token":"a","id_token":"\#(token)"}"#)) })
        #expect(await stage.redeem().word == "ok")
    }
}
