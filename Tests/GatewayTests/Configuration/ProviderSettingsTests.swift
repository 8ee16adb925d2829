import Cryptography
import Providers
import Testing

@testable import GatewaySettings

@Suite("Provider settings")
struct ProviderSettingsTests {
    @Test(
        "J-05: an audience list that is empty, quoted or no list keeps the server from starting, and the key is named",
        arguments: [
            "APPLE_NATIVE_CLIENT_IDS", "APPLE_WEB_CLIENT_IDS", "AMAZON_CLIENT_IDS", "MICROSOFT_CLIENT_IDS",
            "COGNITO_CLIENT_IDS", "OIDC_ACME_CLIENT_IDS",
        ], ["", " ", ",", "a,,b", "a,", "[\"a\",\"b\"]", "\"a\"", "a b", "a;b", "{a}"])
    func emptyAudiences(key: String, value: String) {
        var changes = [
            "APPLE_TEAM_ID": "T", "MICROSOFT_TENANT_IDS": "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeef",
            "COGNITO_REGION": "eu-west-1", "COGNITO_USER_POOL_ID": "eu-west-1_Ducks", "OIDC_PROVIDERS": "acme",
            "OIDC_ACME_ISSUER": "https://id.ducks.org", "OIDC_ACME_CLIENT_IDS": "a",
        ]
        changes[key] = value
        let complaints = Configurations.complaints(changes.mapValues { $0 })
        #expect(complaints.contains { $0.hasPrefix("\(key): ") }, "\(complaints)")
    }

    @Test("J-05: a listed OpenID Connect provider without audiences keeps the server from starting")
    func missingAudiences() {
        let complaints = Configurations.complaints([
            "OIDC_PROVIDERS": "acme", "OIDC_ACME_ISSUER": "https://id.ducks.org",
        ])
        #expect(complaints.map { $0.hasPrefix("OIDC_ACME_CLIENT_IDS: is missing") } == [true])
    }

    @Test(
        "A-09: an endpoint that isn't https to a public host is refused",
        arguments: [
            "http://169.254.169.254", "https://169.254.169.254/latest", "file:///etc/passwd", "http://localhost:8081",
            "https://localhost", "https://127.0.0.1", "https://127.1", "https://2130706433", "https://0x7f000001",
            "https://10.0.0.8", "https://192.168.1.1", "https://172.31.255.255", "https://[::1]", "https://[fd00::1]",
            "https://[fe80::1]", "https://[::ffff:127.0.0.1]", "https://100.64.0.1", "https://metadata",
            "https://vault.internal", "http://appleid.apple.com", "https://user:pw@appleid.apple.com",
            "https://appleid.apple.com?x=1", "gopher://appleid.apple.com", "http://apple.localhost:8081/apple",
            "https://apple.localhost", "https://apple.LOCALHOST", "https://localhost.", "https://apple.localhost.",
            "https://vault.internal.", "https://127.0.0.1.",
        ])
    func privateEndpoints(url: String) {
        let complaints = Configurations.complaints(["APPLE_ENDPOINT": url])
        #expect(complaints.map { $0.hasPrefix("APPLE_ENDPOINT: ") } == [true])
    }

    @Test(
        "A-09: the flag lifts it for development, and never for other schemes",
        arguments: ["http://127.0.0.1:8081/amazon", "http://amazon.localhost:8081/amazon"])
    func localAllowed(url: String) throws {
        let changes = ["INSECURE_ALLOW_LOCAL_PROVIDERS": "true", "AMAZON_CLIENT_IDS": "a"]
        let configuration = try Configurations.read(changes.merging(["AMAZON_ENDPOINT": url]) { $1 }.mapValues { $0 })
        #expect(configuration.providers.configured.configuration(of: AmazonProvider.self)?.endpoint == url)
        let refused = Configurations.complaints(
            changes.merging(["AMAZON_ENDPOINT": "file:///etc/passwd"]) { $1 }.mapValues { $0 })
        #expect(refused.count == 1)
    }

    @Test(
        "A-09: production refuses the flag and the addresses that it would allow",
        arguments: ["http://127.0.0.1:8081", "http://amazon.localhost:8081/amazon", "https://amazon.localhost"])
    func productionStaysStrict(url: String) {
        let complaints = Configurations.complaints(
            [
                "INSECURE_ALLOW_LOCAL_PROVIDERS": "true", "AMAZON_CLIENT_IDS": "a",
                "AMAZON_ENDPOINT": url,
            ], base: Configurations.production)
        #expect(
            complaints.map { $0.prefix { $0 != ":" } } == ["INSECURE_ALLOW_LOCAL_PROVIDERS", "AMAZON_ENDPOINT"])
    }

    private static let cognito = [
        "COGNITO_CLIENT_IDS": "a,b", "COGNITO_REGION": "eu-west-1", "COGNITO_USER_POOL_ID": "eu-west-1_Ducks",
    ]

    @Test("Cognito's flow is a word of the list, and its session no longer than a pool allows")
    func cognitoFlow() throws {
        let usual = try Configurations.read(Self.cognito.mapValues { $0 })
        #expect(usual.providers.configured.configuration(of: CognitoProvider.self)?.authFlow == .srp)
        #expect(usual.providers.configured.configuration(of: CognitoProvider.self)?.sessionLife == 180)
        #expect(usual.providers.configured.configuration(of: CognitoProvider.self)?.clientSecret == nil)
        let changes = [
            "COGNITO_AUTH_FLOW": "user_auth", "COGNITO_CLIENT_SECRET": "quack", "COGNITO_SESSION_MINUTES": "15",
        ]
        let changed = try Configurations.read(Self.cognito.merging(changes) { $1 }.mapValues { $0 })
        #expect(changed.providers.configured.configuration(of: CognitoProvider.self)?.authFlow == .userAuth)
        #expect(changed.providers.configured.configuration(of: CognitoProvider.self)?.sessionLife == 900)
        #expect(changed.providers.configured.configuration(of: CognitoProvider.self)?.clientSecret == Secret("quack"))
    }

    @Test(
        "a Cognito flow or session that no pool has keeps the server from starting",
        arguments: [
            ("COGNITO_AUTH_FLOW", "USER_SRP_AUTH"), ("COGNITO_AUTH_FLOW", "on"), ("COGNITO_SESSION_MINUTES", "2"),
            ("COGNITO_SESSION_MINUTES", "16"), ("COGNITO_SESSION_MINUTES", "three"),
        ])
    func badCognitoSettings(row: (key: String, value: String)) {
        let complaints = Configurations.complaints(Self.cognito.merging([row.key: row.value]) { $1 }.mapValues { $0 })
        #expect(complaints.map { $0.hasPrefix("\(row.key): ") } == [true], "\(complaints)")
    }

    @Test("Apple's key may be on one line")
    func appleKey() throws {
        let line = try Configurations.appleKey()
        let apple = try Configurations.read([
            "APPLE_NATIVE_CLIENT_IDS": "org.ducks.app", "APPLE_TEAM_ID": "DUCKS12345", "APPLE_KEY_ID": "K1",
            "APPLE_PRIVATE_KEY": line,
        ]).providers.configured.configuration(of: AppleProvider.self)
        let text = try #require(apple?.privateKey?.pem)
        #expect(text.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        #expect(!text.contains("\\"))
    }

    @Test(
        "a malformed key is refused and not shown",
        arguments: ["hush", "-----BEGIN PRIVATE KEY-----\\nhush\\n-----END PRIVATE KEY-----"])
    func noKey(value: String) {
        let complaints = Configurations.complaints([
            "APPLE_NATIVE_CLIENT_IDS": "org.ducks.app", "APPLE_TEAM_ID": "DUCKS12345", "APPLE_KEY_ID": "K1",
            "APPLE_PRIVATE_KEY": value,
        ])
        #expect(complaints.contains { $0.hasPrefix("APPLE_PRIVATE_KEY: is no PKCS #8 private key") })
        #expect(!complaints.joined().contains("hush"))
    }

    @Test("Apple's key and its id go together")
    func appleKeyAlone() {
        let complaints = Configurations.complaints([
            "APPLE_NATIVE_CLIENT_IDS": "org.ducks.app", "APPLE_TEAM_ID": "DUCKS12345", "APPLE_KEY_ID": "K1",
        ])
        #expect(complaints.map { $0.hasPrefix("APPLE_PRIVATE_KEY: is missing") } == [true])
    }

    @Test("Microsoft needs tenants, as GUIDs", arguments: [nil, "common", "ducks.onmicrosoft.com", "*"])
    func tenants(value: String?) {
        let complaints = Configurations.complaints(["MICROSOFT_CLIENT_IDS": "a", "MICROSOFT_TENANT_IDS": value])
        #expect(complaints.map { $0.hasPrefix("MICROSOFT_TENANT_IDS: ") } == [true])
    }

    private static let external = [
        "MICROSOFT_CLIENT_IDS": "a", "MICROSOFT_EXTERNAL_TENANT_IDS": "bbbbbbbb-cccc-dddd-eeee-fffffffffff0",
        "MICROSOFT_NATIVE_CLIENT_ID": "native",
    ]

    @Test(
        "native authentication needs the address of a listed external tenant",
        arguments: [
            nil, "http://ducks.ciamlogin.com/ducks.onmicrosoft.com", "https://ducks.ciamlogin.com",
            "https://ducks.ciamlogin.com/a/b", "https://ducks.ciamlogin.com/aaaaaaaa-cccc-dddd-eeee-fffffffffff0",
        ])
    func nativeAuthority(value: String?) {
        let values = Self.external.merging(["MICROSOFT_NATIVE_AUTHORITY": value ?? ""]) { $1 }
        let complaints = Configurations.complaints(values.mapValues { $0 })
        #expect(complaints.map { $0.hasPrefix("MICROSOFT_NATIVE_AUTHORITY: ") } == [true])
    }

    @Test("native authentication is on with an application and an authority, and sign-up is off until allowed")
    func native() throws {
        let values = Self.external.merging([
            "MICROSOFT_NATIVE_AUTHORITY": "https://ducks.ciamlogin.com/ducks.onmicrosoft.com"
        ]) { $1 }
        let native = try #require(
            try Configurations.read(values).providers.configured.configuration(of: MicrosoftProvider.self)?.native)
        #expect(native.clientID == "native" && !native.allowsSignUp)
        #expect(native.authority == "https://ducks.ciamlogin.com/ducks.onmicrosoft.com")
        let open = try Configurations.read(values.merging(["MICROSOFT_NATIVE_SIGN_UP": "true"]) { $1 })
        #expect(open.providers.configured.configuration(of: MicrosoftProvider.self)?.native?.allowsSignUp == true)
        let without = Self.external.filter { $0.key != "MICROSOFT_NATIVE_CLIENT_ID" }
        #expect(
            try Configurations.read(without).providers.configured.configuration(of: MicrosoftProvider.self)?.native
                == nil)
    }

    @Test("browsers are sent to one of Microsoft's listed tenants")
    func webTenant() throws {
        let tenants = [
            "MICROSOFT_CLIENT_IDS": "a", "MICROSOFT_TENANT_IDS": "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeef",
            "MICROSOFT_EXTERNAL_TENANT_IDS": "bbbbbbbb-cccc-dddd-eeee-fffffffffff0",
            "MICROSOFT_CLIENT_SECRET": "hush",
        ]
        let chosen = "BBBBBBBB-cccc-dddd-eeee-fffffffffff0"
        let settings = try Configurations.read(
            tenants.merging(["MICROSOFT_WEB_TENANT_ID": chosen]) { $1 }.mapValues { $0 })
        let microsoft = try #require(settings.providers.configured.configuration(of: MicrosoftProvider.self))
        #expect(microsoft.webTenantID == "bbbbbbbb-cccc-dddd-eeee-fffffffffff0")
        #expect(microsoft.clientSecret == Secret("hush"))
        for other in ["cccccccc-bbbb-cccc-dddd-eeeeeeeeeeef", "common", "hush"] {
            let complaints = Configurations.complaints(
                tenants.merging(["MICROSOFT_WEB_TENANT_ID": other]) { $1 }.mapValues { $0 })
            #expect(complaints.map { $0.hasPrefix("MICROSOFT_WEB_TENANT_ID: must be ") } == [true])
        }
    }

    @Test("GitHub's client id turns it on, and needs its secret")
    func github() throws {
        let settings = try Configurations.read([
            "GITHUB_CLIENT_ID": "Iv1.ducks", "GITHUB_CLIENT_SECRET": "hush", "GITHUB_TRUST_EMAIL": "true",
            "GITHUB_ENDPOINT": "https://github.ducks.org/",
        ])
        let github = try #require(settings.providers.configured.configuration(of: OAuthProvider.self))
        #expect(github.clientID == "Iv1.ducks" && github.clientSecret == Secret("hush") && github.trustsEmail)
        #expect(github.endpoint == "https://github.ducks.org")
        #expect(settings.providers.ids == ["github"])
        #expect(
            try Configurations.read(["GITHUB_CLIENT_SECRET": "hush"]).providers.configured.configuration(
                of: OAuthProvider.self) == nil)
        let complaints = Configurations.complaints(["GITHUB_CLIENT_ID": "Iv1.ducks"])
        #expect(complaints == ["GITHUB_CLIENT_SECRET: is missing"])
    }

    @Test("a required nonce causes a warning for providers without nonces in tokens")
    func exemptFromNonces() throws {
        func warnings(_ changes: [String: String?], _ rule: String = "required") throws -> [String] {
            try Configurations.read(changes.merging(["NATIVE_NONCE": rule]) { $1 }).warnings
        }
        let amazon: [String: String?] = ["AMAZON_CLIENT_IDS": "a"]
        let cognito = Self.cognito.mapValues { Optional($0) }
        #expect(try warnings(amazon).map { $0.contains(" for amazon:") } == [true])
        #expect(try warnings(cognito).map { $0.contains(" for cognito:") } == [true])
        #expect(try warnings(amazon.merging(cognito) { $1 }).map { $0.contains(" for amazon and cognito:") } == [true])
        #expect(try warnings(amazon, "accepted") == [])
        #expect(try warnings(["OIDC_PROVIDERS": nil]) == [])
    }

    @Test(
        "an OpenID Connect provider cannot have the name of another kind", arguments: ["github", "apple", "password"])
    func reservedNames(id: String) {
        let complaints = Configurations.complaints(["OIDC_PROVIDERS": id])
        #expect(complaints.map { $0.hasPrefix("OIDC_PROVIDERS: \(id) can't be an id") } == [true])
    }

    @Test("an id with a hyphen has its keys with an underscore")
    func hyphen() throws {
        let provider = try #require(
            try Configurations.read([
                "OIDC_PROVIDERS": "my-acme", "OIDC_MY_ACME_ISSUER": "https://id.ducks.org/realms/a",
                "OIDC_MY_ACME_CLIENT_IDS": "a,b", "OIDC_MY_ACME_ALGORITHMS": "RS256,ES256",
            ]).providers.configured.configuration(of: OpenIDConnectProvider.self))
        #expect(provider.id.rawValue == "my-acme")
        #expect(provider.clientIDs == ["a", "b"])
        #expect(provider.algorithms == [.RS256, .ES256])
        #expect(provider.issuer == "https://id.ducks.org/realms/a")
    }

    @Test(
        "Google's own rule applies without configured domains, and a list replaces it",
        arguments: [
            (nil, nil), ("gmail.com", .listed(["gmail.com"])), ("any", .any),
            ("Gmail.com,ducks.org", .listed(["gmail.com", "ducks.org"])),
        ] as [(String?, OpenIDConnectProvider.EmailDomains?)])
    func googleDomains(row: (value: String?, domains: OpenIDConnectProvider.EmailDomains?)) throws {
        let settings = try Configurations.read([
            "OIDC_PROVIDERS": "google", "OIDC_GOOGLE_ISSUER": "https://accounts.google.com",
            "OIDC_GOOGLE_CLIENT_IDS": "a", "OIDC_GOOGLE_EMAIL_DOMAINS": row.value,
        ])
        #expect(
            settings.providers.configured.configuration(of: OpenIDConnectProvider.self)?.emailDomains == row.domains)
    }

    @Test("algorithms without a key pair can't be named", arguments: ["none", "HS256", "rs256", "RS256,none"])
    func algorithms(value: String) {
        let complaints = Configurations.complaints([
            "OIDC_PROVIDERS": "acme", "OIDC_ACME_ISSUER": "https://id.ducks.org", "OIDC_ACME_CLIENT_IDS": "a",
            "OIDC_ACME_ALGORITHMS": value,
        ])
        #expect(complaints.map { $0.hasPrefix("OIDC_ACME_ALGORITHMS: ") } == [true])
    }
}
