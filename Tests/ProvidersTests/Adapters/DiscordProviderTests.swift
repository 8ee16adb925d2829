import Cryptography
import JSON
import Outbound
import Providers
import TestSupport
import Testing

extension RedirectConformance {
    static let discord = discord()

    static func discord(
        base: String = "https://discord.com",
        adjust: @escaping @Sendable (inout OAuthProvider.Configuration) -> Void = { _ in }
    ) -> RedirectConformance {
        RedirectConformance(
            name: "discord", page: base + "/oauth2/authorize",
            parameters: ["client_id": "1001", "response_type": "code", "scope": "identify email"],
            tokenURL: base + "/api/oauth2/token", client: ["client_id": "1001", "client_secret": "discord-s+cret"],
            tokens: ["access_token": "dc_access", "token_type": "Bearer", "expires_in": 604_800],
            issuer: "https://discord.com", realm: "https://discord.com", subject: "80351110224678912",
            surround: { far in
                answerDiscord(
                    far,
                    .json(
                        #"{"id":"80351110224678912","username":"ann","global_name":"Ann","#
                            + #""email":"ann@example.com","verified":true}"#), base: base)
            },
            make: {
                var configuration = OAuthProvider.Configuration(
                    DiscordProvider.kind, clientID: "1001", clientSecret: Secret("discord-s+cret"))
                adjust(&configuration)
                return try OAuthProvider(configuration, upstream: $0)
            })
    }

    static func answerDiscord(_ far: FarSide, _ answer: HTTPResponse, base: String = "https://discord.com") {
        let headers = ["accept": "application/json", "authorization": "Bearer dc_access"]
        far[base + "/api/v10/users/@me"] = .init(headers: headers) { _ in .success(answer) }
    }
}

@Suite("Discord")
struct DiscordProviderTests {
    private static let user = "https://discord.com/api/v10/users/@me"

    private func stage(
        user: HTTPResponse? = nil, adjust: @escaping @Sendable (inout OAuthProvider.Configuration) -> Void = { _ in }
    ) throws -> RedirectStage {
        let stage = try RedirectStage(.discord(adjust: adjust))
        if let user { RedirectConformance.answerDiscord(stage.far, user) }
        return stage
    }

    @Test("J-19: an invalid snowflake is refused, for every username", arguments: badDecimals)
    func badSubject(id: String) async throws {
        let stage = try stage(user: .json(#"{"id":\#(id),"username":"80351110224678912"}"#))
        #expect(await stage.redeem() == .failure(.refused(.subjectInvalid)))
    }

    @Test("a user without an id is refused")
    func noSubject() async throws {
        #expect(await (try stage(user: .json(#"{"username":"ann"}"#))).redeem() == .failure(.refused(.subjectInvalid)))
    }

    @Test(
        "an address is proved if Discord verified it and the operator trusts Discord",
        arguments: [
            (#","verified":true"#, true, .verifiedByAuthority), (#","verified":true"#, false, .unverified),
            (#","verified":false"#, true, .unverified), ("", true, .unverified),
            (#","verified":"true""#, true, .unverified), (#","verified":1"#, true, .unverified),
            (#","verified":null"#, true, .unverified),
        ] as [(String, Bool, EmailAuthority)])
    func authority(row: (flag: String, isTrusted: Bool, authority: EmailAuthority)) async throws {
        let user = HTTPResponse.json(#"{"id":"1","email":"ann@example.com"\#(row.flag)}"#)
        let email = try await stage(user: user) { $0.trustsEmail = row.isTrusted }.redeem().get().email
        #expect(email == ExternalEmail(address: "ann@example.com", authority: row.authority))
    }

    @Test("a user without an address signs in without one", arguments: ["", #","email":null"#, #","email":7"#])
    func noAddress(member: String) async throws {
        let stage = try stage(user: .json(#"{"id":"1","verified":true\#(member)}"#)) { $0.trustsEmail = true }
        #expect(try await stage.redeem().get().email == nil)
    }

    @Test("names are sanitised, and the username never replaces one")
    func names() async throws {
        let rows: [(String, String?)] = [
            (#""Ann Lee""#, "Ann Lee"), ("null", nil), ("7", nil), (#""\u202E<b>A""#, "bA"),
        ]
        for (name, shown) in rows {
            let stage = try stage(user: .json(#"{"id":"1","username":"ann","global_name":\#(name)}"#))
            #expect(try await stage.redeem().get().displayName == shown)
        }
    }

    @Test("a failure at the API gives 503 and never a partial identity", arguments: apiTroubles)
    func trouble(answer: Result<HTTPResponse, TransferError>) async throws {
        let stage = try stage()
        stage.far[Self.user] = .init(
            headers: ["accept": "application/json", "authorization": "Bearer dc_access"]
        ) { _ in answer }
        #expect(await stage.redeem().word == "unavailable")
    }

    @Test("a token that Discord no longer knows is refused")
    func revoked() async throws {
        let stage = try stage(user: .json(#"{"message":"401: Unauthorized","code":0}"#, status: 401))
        #expect(await stage.redeem() == .failure(.refused(.upstreamInvalidToken)))
    }

    @Test("an endpoint replaces Discord's host; issuer and realm stay")
    func endpoint() async throws {
        let base = "http://discord.localhost:8081/discord"
        let stage = try RedirectStage(.discord(base: base) { $0.endpoint = base })
        #expect(try await stage.parameters().page == base + "/oauth2/authorize")
        #expect(try await stage.redeem().get().realm == "https://discord.com")
    }

    @Test("J-05: a Discord adapter needs an id and a secret")
    func configurationProblems() {
        #expect(throws: ProviderConfigurationProblem(setting: "DISCORD_CLIENT_ID", reason: "empty")) {
            try stage { $0.clientID = "" }
        }
        #expect(throws: ProviderConfigurationProblem(setting: "DISCORD_CLIENT_SECRET", reason: "empty")) {
            try stage { $0.clientSecret = Secret("") }
        }
    }
}
