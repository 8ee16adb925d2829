import Cryptography
import JSON
import Outbound
import Providers
import TestSupport
import Testing

extension RedirectConformance {
    static let all = [apple, amazon, microsoft, google, acme, github, facebook, line, discord, x]
    /// Providers with an ID token in the exchange.
    static let signed = all.filter { $0.claims != nil }
    /// Providers of OAuth 2.0 alone, without any ID token.
    static let unsigned = [github, discord, x]
    /// Providers with discovered pages.
    static let discovered = [microsoft, google, acme]

    private static let bearer: JSONObject = ["access_token": "access", "token_type": "Bearer", "expires_in": 3_600]

    static let apple = apple()

    static func apple(
        adjust: @escaping @Sendable (inout AppleProvider.Configuration) -> Void = { _ in }
    ) -> RedirectConformance {
        RedirectConformance(
            name: "apple", page: "https://appleid.apple.com/auth/authorize",
            parameters: [
                "client_id": "com.example.web", "response_type": "code id_token", "response_mode": "form_post",
                "scope": "name email", "nonce": RedirectStage.nonce,
            ],
            tokenURL: "https://appleid.apple.com/auth/token",
            client: ["client_id": "com.example.web", "client_secret": "*"],
            tokens: TokenMint.merged(bearer, ["refresh_token": "refresh-1"]),
            claims: TokenMint.merged(
                ProviderConformance.apple.claims,
                ["aud": "com.example.web", "at_hash": .string(RedirectStage.hash(of: "access"))]),
            otherClient: "com.example.app", issuer: "https://appleid.apple.com", realm: "TEAM123456",
            subject: ProviderConformance.appleSubject, surround: { try publishKeys(of: .apple, at: $0) },
            make: {
                var configuration = ProviderConformance.appleConfiguration()
                configuration.webClientIDs.append("com.example.web.second")
                configuration.keyID = "KEY1234567"
                configuration.privateKey = try TestKeys.apple
                adjust(&configuration)
                return try AppleProvider(configuration, upstream: $0)
            })
    }

    static let amazonClient = "amzn1.application-oa2-client.example"
    static let amazon = amazon()

    static func amazon(
        page: String = "https://www.amazon.com/ap/oa",
        api: String = "https://api.amazon.com",
        adjust: @escaping @Sendable (inout AmazonProvider.Configuration) -> Void = { _ in }
    ) -> RedirectConformance {
        RedirectConformance(
            name: "amazon", page: page,
            parameters: ["client_id": amazonClient, "response_type": "code", "scope": "profile"],
            tokenURL: api + "/auth/o2/token", client: ["client_id": amazonClient, "client_secret": "amazon-secret"],
            tokens: TokenMint.merged(
                bearer, ["access_token": "Atza|abc", "token_type": "bearer", "refresh_token": "Atzr|r"]),
            issuer: "https://www.amazon.com", realm: "Example Inc", subject: "amzn1.account.ANN",
            surround: { surroundAmazon($0, api: api) },
            make: {
                var configuration = AmazonProvider.Configuration(
                    clientIDs: [amazonClient, "second-client"], accountName: "Example Inc")
                configuration.clientSecret = Secret("amazon-secret")
                adjust(&configuration)
                return try AmazonProvider(configuration, upstream: $0)
            })
    }

    static func surroundAmazon(_ far: FarSide, api: String, audience: String = amazonClient) {
        far[api + "/auth/o2/tokeninfo"] = .init(
            headers: ["accept": "application/json", "x-amz-access-token": "Atza|abc"]
        ) { _ in
            .success(
                .json(
                    #"{"iss":"https://www.amazon.com","user_id":"amzn1.account.ANN","aud":"\#(audience)","#
                        + #""app_id":"a","exp":3000,"iat":1799999990}"#))
        }
        far[api + "/user/profile"] = .init(
            headers: ["accept": "application/json", "authorization": "Bearer Atza|abc"]
        ) { _ in .success(.json(#"{"user_id":"amzn1.account.ANN","name":"Ann","email":"ann@example.com"}"#)) }
    }

    static let microsoft = microsoft()

    static func microsoft(
        tenant: String = ProviderConformance.tenant, host: String = "https://login.microsoftonline.com",
        client: [String: String] = ["client_secret": "microsoft-secret"],
        adjust: @escaping @Sendable (inout MicrosoftProvider.Configuration) -> Void = { _ in }
    ) -> RedirectConformance {
        let about = ProviderConformance.microsoft("microsoft", tenant, host) {
            $0.clientIDs.append("second-client")
            $0.clientSecret = Secret("microsoft-secret")
            adjust(&$0)
        }
        return RedirectConformance(
            name: "microsoft", page: "\(host)/\(tenant)/oauth2/v2.0/authorize",
            parameters: [
                "client_id": about.audience, "response_type": "code", "response_mode": "query",
                "scope": "openid profile email", "nonce": RedirectStage.nonce,
            ],
            tokenURL: "\(host)/\(tenant)/oauth2/v2.0/token",
            client: client.merging(["client_id": about.audience]) { one, _ in one }, tokens: bearer,
            claims: about.claims, issuer: about.issuer, realm: tenant, subject: ProviderConformance.objectID,
            surround: {
                try publishKeys(of: about, at: $0)
                let base = "\(host)/\(tenant)/oauth2/v2.0"
                publishDiscovery(of: about, pages: (base + "/authorize", base + "/token"), at: $0)
            },
            make: { try redirecting(about, $0) })
    }

    static let google = openIDConnect(
        .google, page: "https://accounts.google.com/o/oauth2/v2/auth", token: "https://oauth2.googleapis.com/token")
    static let acme = openIDConnect(.acme)

    static func openIDConnect(
        _ usual: ProviderConformance, page: String = "https://id.acme.example:8443/authorize",
        token: String = "https://id.acme.example/token",
        more: String = "", adjust: @escaping @Sendable (inout OpenIDConnectProvider.Configuration) -> Void = { _ in }
    ) -> RedirectConformance {
        let about = ProviderConformance.openIDConnect(usual.name, usual.issuer, keys: usual.keysURL) {
            $0.clientIDs.append("second-client")
            adjust(&$0)
        }
        return RedirectConformance(
            name: usual.name, page: page,
            parameters: [
                "client_id": usual.audience, "response_type": "code", "scope": "openid email profile",
                "nonce": RedirectStage.nonce,
            ].merging(usual.name == ProviderConformance.google.name ? [:] : ["max_age": "31536000"]) { $1 },
            tokenURL: token, client: ["client_id": usual.audience, "client_secret": "s+cret"], tokens: bearer,
            claims: usual.claims, issuer: usual.issuer, realm: usual.issuer, subject: "1180",
            surround: {
                try publishKeys(of: about, at: $0)
                let post = #","token_endpoint_auth_methods_supported":["client_secret_post"]"#
                publishDiscovery(of: about, pages: (page, token), more: post + more, at: $0)
            },
            make: { try redirecting(about, $0) })
    }

    static let github = github()

    static func github(
        web: String = "https://github.com",
        api: String = "https://api.github.com", realm: String = "github.com",
        adjust: @escaping @Sendable (inout OAuthProvider.Configuration) -> Void = { _ in }
    ) -> RedirectConformance {
        RedirectConformance(
            name: "github", page: web + "/login/oauth/authorize",
            parameters: ["client_id": "Iv1.0123456789abcdef", "scope": "user:email"],
            tokenURL: web + "/login/oauth/access_token",
            client: ["client_id": "Iv1.0123456789abcdef", "client_secret": "github-s+cret"],
            tokens: ["access_token": "gho_access", "token_type": "bearer", "scope": "user:email"],
            issuer: web + "/login/oauth", realm: realm, subject: "583231",
            refusals: ("bad_verification_code", "incorrect_client_credentials", 200),
            surround: { far in
                answerGitHub(far, api + "/user", .json(#"{"login":"ann","id":583231,"name":"Ann","email":null}"#))
                answerGitHub(
                    far, api + "/user/emails?per_page=100",
                    .json(#"[{"email":"ann@example.com","primary":true,"verified":true,"visibility":null}]"#))
            },
            make: {
                var configuration = OAuthProvider.Configuration(
                    GitHubProvider.kind, clientID: "Iv1.0123456789abcdef", clientSecret: Secret("github-s+cret"))
                adjust(&configuration)
                return try OAuthProvider(configuration, upstream: $0)
            })
    }

    static func answerGitHub(_ far: FarSide, _ url: String, _ answer: HTTPResponse) {
        let headers = ["accept": "application/json", "authorization": "Bearer gho_access"]
        far[url] = .init(headers: headers) { _ in .success(answer) }
    }

    private static func redirecting(_ about: ProviderConformance, _ upstream: Upstream) throws -> any RedirectSignIn {
        try #require(try about.make(upstream) as? any RedirectSignIn)
    }

    private static func publishKeys(of about: ProviderConformance, at far: FarSide) throws {
        let set = try TestKeys.usualSet
        far[about.keysURL] = .init { _ in .success(.json(set)) }
    }

    private static func publishDiscovery(
        of about: ProviderConformance, pages: (authorization: String, token: String), more: String = "",
        at far: FarSide
    ) {
        guard let url = about.discovery?.url else { return }
        let text =
            #"{"issuer":"\#(about.issuer)","jwks_uri":"\#(about.keysURL)","token_endpoint":"\#(pages.token)","#
            + #""authorization_endpoint":"\#(pages.authorization)"\#(more)}"#
        far[url] = .init { _ in .success(.json(text)) }
    }
}

extension RedirectStage {
    /// The left half of SHA-256 (OpenID Connect Core §3.1.3.6).
    static func hash(of text: String) -> String {
        Base64URL.encode(Array(SHA256.hash(text).prefix(16)))
    }
}
