import Cryptography
import JSON
import Providers
import Testing

extension ProviderConformance {
    static let all = [apple, microsoftWorkforce, microsoftExternal, cognito, google, acme, facebook]

    static let tenant = "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee"
    static let externalTenant = "bbbbbbbb-cccc-dddd-eeee-ffffffffffff"
    static let objectID = "00000000-1111-2222-3333-444444444444"
    static let appleSubject = "000544.5e20aa00bb11cc22dd33ee44ff556677.1321"

    static let apple = ProviderConformance(
        name: "apple", member: "id_token", issuer: "https://appleid.apple.com", audience: "com.example.app",
        keysURL: "https://appleid.apple.com/auth/keys",
        claims: usual(
            "https://appleid.apple.com", "com.example.app",
            ["sub": .string(appleSubject), "email_verified": "true", "exp": 1_800_086_400, "nonce_supported": true]),
        verifyingFlags: [.bool(true), "true"], hashesNonce: true, subjectClaim: "sub", realm: "TEAM123456",
        make: { try AppleProvider(appleConfiguration(), upstream: $0) })

    static func appleConfiguration() -> AppleProvider.Configuration {
        var configuration = AppleProvider.Configuration(teamID: "TEAM123456", nativeClientIDs: ["com.example.app"])
        configuration.webClientIDs = ["com.example.web"]
        return configuration
    }

    static let microsoftWorkforce = microsoft("microsoft workforce", tenant, "https://login.microsoftonline.com")
    static let microsoftExternal = microsoft(
        "microsoft external", externalTenant, "https://\(externalTenant).ciamlogin.com")

    static func microsoft(
        _ name: String, _ tenant: String, _ host: String,
        adjust: @escaping @Sendable (inout MicrosoftProvider.Configuration) -> Void = { _ in }
    ) -> ProviderConformance {
        let keys = "\(host)/\(tenant)/discovery/v2.0/keys"
        return ProviderConformance(
            name: name, member: "id_token", issuer: "\(host)/\(tenant)/v2.0",
            audience: "11111111-2222-3333-4444-555555555555", keysURL: keys,
            discovery: (
                "\(host)/\(tenant)/v2.0/.well-known/openid-configuration",
                #"{"issuer":"\#(host)/\#(tenant)/v2.0","jwks_uri":"\#(keys)"}"#
            ),
            claims: usual(
                "\(host)/\(tenant)/v2.0", "11111111-2222-3333-4444-555555555555",
                ["tid": .string(tenant), "oid": .string(objectID), "ver": "2.0", "sub": "pairwise", "xms_edov": true]),
            emailFlag: "xms_edov", verifyingFlags: [.bool(true), 1, "1", "true"], subjectClaim: "oid", realm: tenant,
            make: {
                var configuration = MicrosoftProvider.Configuration(
                    clientIDs: ["11111111-2222-3333-4444-555555555555"], tenantIDs: [Self.tenant])
                configuration.externalTenantIDs = [externalTenant]
                adjust(&configuration)
                return try MicrosoftProvider(configuration, upstream: $0)
            })
    }

    static let cognito = ProviderConformance(
        name: "cognito", member: "id_token", issuer: "https://cognito-idp.us-east-1.amazonaws.com/us-east-1_Example01",
        audience: "client1",
        keysURL: "https://cognito-idp.us-east-1.amazonaws.com/us-east-1_Example01/.well-known/jwks.json",
        claims: usual(
            "https://cognito-idp.us-east-1.amazonaws.com/us-east-1_Example01", "client1",
            ["sub": "34c84488-e0e1-70ae-d2ee-991ad1a898c8", "token_use": "id", "auth_time": 1_799_999_990]),
        subjectClaim: "sub", realm: "us-east-1_Example01",
        make: {
            var configuration = CognitoProvider.Configuration(
                region: "us-east-1", userPoolID: "us-east-1_Example01", clientIDs: ["client1"])
            configuration.trustsEmail = true
            return try CognitoProvider(configuration, upstream: $0)
        })

    static let google = openIDConnect("google", "https://accounts.google.com", keys: "https://www.googleapis.com/certs")
    static let acme = openIDConnect("acme", "https://id.acme.example", keys: "https://id.acme.example/keys") {
        $0.emailDomains = .any
    }

    static func openIDConnect(
        _ id: String, _ issuer: String, keys: String, more: String = "",
        adjust: @escaping @Sendable (inout OpenIDConnectProvider.Configuration) -> Void = { _ in }
    ) -> ProviderConformance {
        ProviderConformance(
            name: id, member: "id_token", issuer: issuer, audience: "\(id)-client", keysURL: keys,
            discovery: (
                issuer + "/.well-known/openid-configuration",
                #"{"issuer":"\#(issuer)","jwks_uri":"\#(keys)","token_endpoint":"\#(issuer)/token"\#(more)}"#
            ),
            claims: usual(issuer, "\(id)-client", ["sub": "1180", "hd": "example.com"]), subjectClaim: "sub",
            realm: issuer,
            make: {
                let provider = try #require(ProviderID(rawValue: id))
                var configuration = OpenIDConnectProvider.Configuration(
                    id: provider, name: id, issuer: issuer, clientIDs: ["\(id)-client"])
                configuration.clientSecret = Secret("s+cret")
                adjust(&configuration)
                return try OpenIDConnectProvider(configuration, upstream: $0)
            })
    }

    static func usual(_ issuer: String, _ audience: String, _ more: JSONObject) -> JSONObject {
        let claims: JSONObject = [
            "iss": .string(issuer), "aud": .string(audience), "iat": 1_799_999_990, "exp": 1_800_003_600,
            "email": "ann@example.com", "email_verified": true, "name": "Ann",
        ]
        return TokenMint.merged(claims, more)
    }
}
