import Cryptography
import JSON
import Providers
import TestSupport
import Testing

@Suite("Microsoft Entra")
struct MicrosoftProviderTests {
    private static let personal = "9188040d-6c67-4c5b-b112-36a304b66dad"

    @Test(
        "J-26: an unlisted tenant is refused before every other check",
        arguments: [
            "cccccccc-bbbb-cccc-dddd-eeeeeeeeeeee", "AAAAAAAA-BBBB-CCCC-DDDD-EEEEEEEEEEEE", "common", "", .null, 7,
            "9188040d-6c67-4c5b-b112-36a304b66dad",
        ] as [JSON])
    func tenant(value: JSON) async throws {
        let stage = try Stage(.microsoftWorkforce)
        #expect(try await stage.signIn(["tid": value]).word == "tenant_not_allowed")
        #expect(
            try await stage.signIn(["tid": value, "iss": "https://evil.example"], signing: .otherKey).word
                == "tenant_not_allowed")
        #expect(stage.far.calls.isEmpty)
    }

    @Test("J-26: an issuer of another tenant than the token's is refused")
    func issuerOfOtherTenant() async throws {
        let external = ProviderConformance.externalTenant
        let issuers = [
            "https://login.microsoftonline.com/\(external)/v2.0", "https://login.microsoftonline.com/{tenantid}/v2.0",
            "https://login.microsoftonline.com/common/v2.0",
            "https://sts.windows.net/\(ProviderConformance.tenant)/",
            "https://\(ProviderConformance.tenant).ciamlogin.com/\(ProviderConformance.tenant)/v2.0",
        ]
        for issuer in issuers {
            let stage = try Stage(.microsoftWorkforce)
            #expect(try await stage.signIn(["iss": .string(issuer)]).word == "issuer_not_allowed")
            #expect(stage.far.calls.isEmpty)
        }
        let workforceIssuer: JSON = .string("https://login.microsoftonline.com/\(external)/v2.0")
        #expect(try await Stage(.microsoftExternal).signIn(["iss": workforceIssuer]).word == "issuer_not_allowed")
    }

    @Test("J-26: personal accounts sign in only if their tenant is listed")
    func personalTenant() async throws {
        let about = ProviderConformance.microsoft("personal", Self.personal, "https://login.microsoftonline.com") {
            $0.tenantIDs = [Self.personal]
        }
        #expect(try await Stage(about).signIn().word == "ok")
    }

    @Test("oid is required and identifies the user", arguments: [.null, 7, "", "ann", "undefined"] as [JSON])
    func objectID(value: JSON) async throws {
        #expect(try await Stage(.microsoftWorkforce).signIn(["oid": value]).word == "subject_invalid")
    }

    @Test("a user with another sub in another app is the same user")
    func pairwise() async throws {
        let identity = try await Stage(.microsoftWorkforce).signIn(["sub": "quite-another"]).get()
        #expect(identity.subject == ProviderConformance.objectID)
        #expect(identity.realm == ProviderConformance.tenant)
    }

    @Test(
        "J-22: an access token is refused",
        arguments: [["scp": "User.Read"], ["appid": "x"], ["ver": "1.0"], ["ver": 2]] as [JSONObject])
    func accessToken(claims: JSONObject) async throws {
        #expect(try await Stage(.microsoftWorkforce).signIn(claims).word == "wrong_token_type")
    }

    @Test(
        "J-10: xms_edov verifies an address, or trust in an external tenant that does not deny it",
        arguments: [
            (false, false, .null, false), (false, true, .null, false), (true, false, .null, false),
            (true, true, .null, true), (true, true, .bool(false), false), (true, true, 0, false),
            (true, true, "false", false), (true, true, .bool(true), true), (false, false, "1", true),
            (false, true, .bool(false), false),
        ] as [(Bool, Bool, JSON, Bool)])
    func email(row: (isExternal: Bool, isTrusted: Bool, edov: JSON, isVerified: Bool)) async throws {
        let tenant = row.isExternal ? ProviderConformance.externalTenant : ProviderConformance.tenant
        let host = row.isExternal ? "https://\(tenant).ciamlogin.com" : "https://login.microsoftonline.com"
        let trusted = row.isTrusted
        let stage = try Stage(.microsoft("trust", tenant, host) { $0.trustsTenantEmail = trusted })
        let identity = try await stage.signIn(["xms_edov": row.edov, "email_verified": true]).get()
        #expect(identity.email?.authority == (row.isVerified ? .verifiedByAuthority : .unverified))
    }

    @Test("J-10: preferred_username and upn are never an address")
    func otherNames() async throws {
        let identity = try await Stage(.microsoftWorkforce).signIn([
            "email": .null, "preferred_username": "victim@example.com", "upn": "victim@example.com",
        ]).get()
        #expect(identity.email == nil)
    }

    @Test("a discovery document with another issuer is refused")
    func discovery() async throws {
        var about = ProviderConformance.microsoftWorkforce
        let url = try #require(about.discovery?.url)
        about.discovery = (
            url, #"{"issuer":"https://login.microsoftonline.com/{tenantid}/v2.0","jwks_uri":"\#(about.keysURL)"}"#
        )
        let stage = try Stage(about)
        #expect(try await stage.signIn().word == "unavailable")
        #expect(stage.far.count(about.keysURL) == 0)
    }

    /// The usual set, with an issuer in its key.
    private static func keySet(naming issuer: JSON) throws -> String {
        var key = try #require(try TestKeys.issuer.publicKey.jwk(id: "key-1", algorithm: .RS256).object)
        key["issuer"] = issuer
        return JSON.object(["keys": [.object(key)]]).text
    }

    @Test(
        "J-26: a key with an issuer signs only for that issuer",
        arguments: [
            (false, "https://login.microsoftonline.com/{tenantid}/v2.0", "ok"),
            (false, .string("https://login.microsoftonline.com/\(ProviderConformance.tenant)/v2.0"), "ok"),
            (false, .string("https://login.microsoftonline.com/\(personal)/v2.0"), "key_unknown"),
            (false, "https://login.microsoftonline.com/{tenantid}/v2.0/", "key_unknown"),
            (false, "https://login.microsoftonline.us/{tenantid}/v2.0", "key_unknown"),
            (false, "https://sts.windows.net/{tenantid}/", "key_unknown"), (false, "", "key_unknown"),
            (true, "https://{tenantid}.ciamlogin.com/{tenantid}/v2.0", "ok"),
            (true, "https://login.microsoftonline.com/{tenantid}/v2.0", "key_unknown"), (false, 7, "ok"),
        ] as [(Bool, JSON, String)])
    func issuerOfKey(row: (isExternal: Bool, issuer: JSON, word: String)) async throws {
        let stage = try Stage(row.isExternal ? .microsoftExternal : .microsoftWorkforce)
        stage.publish(try Self.keySet(naming: row.issuer))
        #expect(try await stage.signIn().word == row.word)
    }

    @Test(
        "the issuer of a key has no effect at other providers",
        arguments: ProviderConformance.all.filter { !$0.name.hasPrefix("microsoft") })
    func issuerOfOthersKey(about: ProviderConformance) async throws {
        let stage = try Stage(about)
        stage.publish(try Self.keySet(naming: "CN=Example CA"))
        #expect(try await stage.signIn().word == "ok")
    }

    @Test("J-05: the tenant list must hold at least one GUID and nothing else")
    func configurationProblems() {
        for (tenants, clients) in [
            ([], ["c"]), (["common"], ["c"]), (["{tid}"], ["c"]), ([ProviderConformance.tenant], []),
        ] {
            let about = ProviderConformance.microsoft("x", ProviderConformance.tenant, "https://x.example") {
                $0 = .init(clientIDs: clients, tenantIDs: tenants)
            }
            #expect(throws: ProviderConfigurationProblem.self) { try Stage(about) }
        }
    }
}
