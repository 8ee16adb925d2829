import Cryptography
import JSON
import Providers
import TestSupport
import Testing

@Suite("Microsoft Entra in a browser")
struct MicrosoftRedirectTests {
    private static let external = ProviderConformance.externalTenant
    private static let externalHost = "https://\(external).ciamlogin.com"

    @Test("a browser is sent to the chosen tenant")
    func chosenTenant() async throws {
        let about = RedirectConformance.microsoft(tenant: Self.external, host: Self.externalHost) {
            $0.webTenantID = Self.external.uppercased()
        }
        let stage = try RedirectStage(about)
        #expect(try await stage.parameters().page == about.page)
        #expect(try await stage.redeem().get().realm == Self.external)
    }

    @Test("the default tenant is the first workforce tenant, else the first external one")
    func firstTenant() async throws {
        let stage = try RedirectStage(.microsoft(tenant: Self.external, host: Self.externalHost) { $0.tenantIDs = [] })
        #expect(try await stage.redeem().get().realm == Self.external)
    }

    @Test(
        "J-26: a token of any other tenant is refused, even of a listed one",
        arguments: [
            .string(external), "cccccccc-bbbb-cccc-dddd-eeeeeeeeeeee", .null, 7, "",
            .string(ProviderConformance.tenant.uppercased()),
        ] as [JSON])
    func otherTenant(value: JSON) async throws {
        let stage = try RedirectStage(.microsoft)
        try stage.sell(["tid": value])
        #expect(await stage.redeem() == .failure(.refused(.tenantNotAllowed)))
        try stage.sell(["tid": value, "iss": .string("\(Self.externalHost)/\(Self.external)/v2.0")])
        #expect(await stage.redeem() == .failure(.refused(.tenantNotAllowed)))
    }

    @Test("W-04: the issuer of another listed tenant is refused")
    func otherIssuer() async throws {
        let provider = try RedirectStage(.microsoft).provider
        #expect(try await !provider.acceptsIssuer("\(Self.externalHost)/\(Self.external)/v2.0"))
        #expect(try await !provider.acceptsIssuer("https://login.microsoftonline.com/{tenantid}/v2.0"))
    }

    @Test(
        "J-22: any other kind of token is refused like a posted one",
        arguments: [
            (["scp": "User.Read"], "wrong_token_type"), (["ver": "1.0"], "wrong_token_type"),
            (["oid": .null], "subject_invalid"), (["oid": "ann"], "subject_invalid"),
        ] as [(JSONObject, String)])
    func otherToken(row: (claims: JSONObject, word: String)) async throws {
        let stage = try RedirectStage(.microsoft)
        try stage.sell(row.claims)
        #expect(await stage.redeem().word == row.word)
    }

    @Test("J-10: the rules of posted tokens verify an address", arguments: [(JSON.bool(true), true), (.null, false)])
    func email(row: (edov: JSON, isVerified: Bool)) async throws {
        let stage = try RedirectStage(.microsoft)
        try stage.sell(["xms_edov": row.edov, "email_verified": true])
        let email = try await stage.redeem().get().email
        #expect(email?.authority == (row.isVerified ? .verifiedByAuthority : .unverified))
    }

    @Test("a public client sends only its id")
    func publicClient() async throws {
        #expect(await (try RedirectStage(.microsoft(client: [:]) { $0.clientSecret = nil })).redeem().word == "ok")
    }

    @Test("a user with a pending action at Microsoft is sent back there")
    func interaction() async throws {
        let stage = try RedirectStage(.microsoft)
        stage.exchange { _ in .success(.json(#"{"error":"interaction_required"}"#, status: 400)) }
        #expect(await stage.redeem() == .failure(.refused(.codeInvalid)))
    }

    @Test("discovery without a page or a token endpoint is a configuration error")
    func missingEndpoints() async throws {
        let stage = try RedirectStage(.microsoft)
        let about = ProviderConformance.microsoftWorkforce
        let discovery = try #require(about.discovery)
        stage.far[discovery.url] = .init { _ in .success(.json(discovery.text)) }
        #expect(await stage.startWord() == "misconfigured")
        #expect(await stage.redeem().word == "misconfigured")
        #expect(stage.exchanges == 0)
    }

    @Test("the tenant must be listed", arguments: ["cccccccc-bbbb-cccc-dddd-eeeeeeeeeeee", "common", ""])
    func unlistedTenant(tenant: String) {
        let problem = ProviderConfigurationProblem(
            setting: "MICROSOFT_WEB_TENANT_ID", reason: "not among the tenants that are listed")
        #expect(throws: problem) { try RedirectStage(.microsoft { $0.webTenantID = tenant }) }
    }
}
