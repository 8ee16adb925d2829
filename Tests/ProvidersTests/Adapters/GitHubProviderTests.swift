import Cryptography
import JSON
import Outbound
import Providers
import TestSupport
import Testing

@Suite("GitHub")
struct GitHubProviderTests {
    private static let user = "https://api.github.com/user"
    private static let emails = "https://api.github.com/user/emails?per_page=100"
    private static let confirmed = #"{"email":"a@x.example","primary":true,"verified":true}"#

    private func stage(
        user: HTTPResponse? = nil, emails: HTTPResponse? = nil,
        adjust: @escaping @Sendable (inout OAuthProvider.Configuration) -> Void = { _ in }
    ) throws -> RedirectStage {
        let stage = try RedirectStage(.github(adjust: adjust))
        if let user { RedirectConformance.answerGitHub(stage.far, Self.user, user) }
        if let emails { RedirectConformance.answerGitHub(stage.far, Self.emails, emails) }
        return stage
    }

    @Test("the numeric id, up to 64 bits, identifies the user", arguments: [1, 583_231, Int.max])
    func subject(id: Int) async throws {
        let stage = try stage(user: .json(#"{"id":\#(id),"login":"ann"}"#))
        #expect(try await stage.redeem().get().subject == String(id))
    }

    @Test(
        "J-19: any other id is refused, for every login",
        arguments: [
            #""583231""#, "0", "-1", "1.5", "583231.0", "5e3", "null", "[]", "true", "9223372036854775808",
            "18446744073709551616", #""""#, "{}",
        ])
    func badSubject(id: String) async throws {
        let stage = try stage(user: .json(#"{"id":\#(id),"login":"583231","node_id":"x"}"#))
        #expect(await stage.redeem() == .failure(.refused(.subjectInvalid)))
        #expect(stage.far.count(Self.emails) == 0)
    }

    @Test("a user without an id is refused")
    func noSubject() async throws {
        let stage = try stage(user: .json(#"{"login":"ann"}"#))
        #expect(await stage.redeem() == .failure(.refused(.subjectInvalid)))
    }

    @Test(
        "the address is the primary one, if it is confirmed",
        arguments: [
            (#"{"email":"b@x.example","primary":false,"verified":true},"# + confirmed, "a@x.example"),
            (#"{"email":"a@x.example","primary":true,"verified":false}"#, nil),
            (#"{"email":"b@x.example","primary":false,"verified":true}"#, nil),
            (#"{"email":"a@x.example","primary":"true","verified":true}"#, nil),
            (#"{"email":"a@x.example","primary":true,"verified":1}"#, nil),
            (#"{"email":"a@x.example","primary":true}"#, nil),
            (#"{"email":null,"primary":true,"verified":true}"#, nil),
            (#"{"email":"not one","primary":true,"verified":true}"#, nil), (#""a@x.example",7,null"#, nil), ("", nil),
        ] as [(String, String?)])
    func address(row: (entries: String, address: String?)) async throws {
        let user = HTTPResponse.json(#"{"id":1,"email":"victim@example.com"}"#)
        let identity = try await stage(user: user, emails: .json("[\(row.entries)]")).redeem().get()
        #expect(identity.email?.address == row.address)
    }

    @Test("GitHub is an authority for an address only if the operator configures it", arguments: [false, true])
    func trust(isTrusted: Bool) async throws {
        let email = try await stage { $0.trustsEmail = isTrusted }.redeem().get().email
        #expect(email?.authority == (isTrusted ? .verifiedByAuthority : .unverified))
        #expect(email?.isRelay == false)
    }

    @Test(
        "a relay address never links, trusted or not",
        arguments: ["583231+ann@users.noreply.github.com", "ann@Users.NoReply.GitHub.com"], [false, true])
    func hidden(address: String, isTrusted: Bool) async throws {
        let emails = HTTPResponse.json(#"[{"email":"\#(address)","primary":true,"verified":true}]"#)
        let email = try await stage(emails: emails) { $0.trustsEmail = isTrusted }.redeem().get().email
        #expect(email == ExternalEmail(address: address, authority: .unverified, isRelay: true))
    }

    @Test("without permission to read addresses, the user signs in without one", arguments: [403, 404])
    func withheld(status: Int) async throws {
        let stage = try stage(emails: .json(#"{"message":"Resource not accessible by integration"}"#, status: status))
        #expect(try await stage.redeem().get().email == nil)
    }

    @Test(
        "a rate limit gives a retry time and not a user without an address",
        arguments: [("X-RateLimit-Remaining", "0"), ("Retry-After", "60")])
    func throttled(header: (name: String, value: String)) async throws {
        let stage = try stage(emails: .json("{}", status: 403, headers: [(header.name, header.value)]))
        #expect(await stage.redeem().word == "unavailable")
    }

    @Test("names are sanitised, and the login never replaces one")
    func names() async throws {
        let rows: [(String, String?)] = [
            (#""Ann Lee""#, "Ann Lee"), ("null", nil), ("7", nil), (#""\u202E<b>Ann""#, "bAnn"), (#""""#, nil),
        ]
        for (name, shown) in rows {
            let stage = try stage(user: .json(#"{"id":1,"login":"ann","name":\#(name)}"#))
            #expect(try await stage.redeem().get().displayName == shown)
        }
    }

    @Test("the token endpoint's errors have status 200, and the error code decides")
    func errors() async throws {
        let rows = [
            ("bad_verification_code", "code_invalid"), ("unverified_user_email", "code_invalid"),
            ("invalid_grant", "code_invalid"), ("incorrect_client_credentials", "misconfigured"),
            ("redirect_uri_mismatch", "misconfigured"), ("Not Found", "misconfigured"), ("new_word", "unavailable"),
        ]
        for (word, expected) in rows {
            for status in [200, 400, 404] {
                let stage = try stage()
                stage.exchange { _ in
                    .success(.json(#"{"error":"\#(word)","access_token":"gho_access"}"#, status: status))
                }
                #expect(await stage.redeem().word == expected)
                #expect(stage.far.calls.count == 1)
            }
        }
    }

    @Test("an access token longer than GitHub's is never sent")
    func longToken() async throws {
        let stage = try stage()
        try stage.sell(members: ["access_token": .string(String(repeating: "t", count: 2_049))])
        #expect(await stage.redeem().word == "unavailable")
        #expect(stage.far.calls.count == 1)
    }

    @Test("a failure at the API gives 503 and never a partial identity", arguments: [user, emails])
    func trouble(url: String) async throws {
        let answers: [Result<HTTPResponse, TransferError>] = [
            .failure(.timedOut), .failure(.redirectRefused), .success(.html), .success(.json("", status: 500)),
            .success(.json("{}", status: 429)), .success(.json("not json")), .success(.json("7")),
            .success(.json("{\"a\":\"" + String(repeating: "a", count: 70_000) + "\"}")),
            .success(.json("{}", status: 302)),
            url == Self.user ? .success(.json("[]")) : .success(.json("{}")),
            url == Self.user ? .success(.json("{}", status: 403)) : .success(.json("{}", status: 422)),
        ]
        let headers = ["accept": "application/json", "authorization": "Bearer gho_access"]
        for answer in answers {
            let stage = try stage()
            stage.far[url] = .init(headers: headers) { _ in answer }
            #expect(await stage.redeem().word == "unavailable")
        }
    }

    @Test("a token that GitHub no longer knows is refused", arguments: [user, emails])
    func revoked(url: String) async throws {
        let stage = try stage()
        RedirectConformance.answerGitHub(stage.far, url, .json(#"{"message":"Bad credentials"}"#, status: 401))
        #expect(await stage.redeem() == .failure(.refused(.upstreamInvalidToken)))
    }

    @Test("an Enterprise Server has its own pages, API, issuer, realm and hidden addresses")
    func enterprise() async throws {
        let about = RedirectConformance.github(
            web: "https://ghe.example.com", api: "https://ghe.example.com/api/v3",
            realm: "ghe.example.com"
        ) { $0.endpoint = "https://ghe.example.com/" }
        let stage = try RedirectStage(about)
        #expect(try await stage.parameters().page == about.page)
        #expect(try await stage.redeem().get().realm == "ghe.example.com")
        #expect(try await stage.provider.acceptsIssuer("https://ghe.example.com/login/oauth"))
        #expect(try await !stage.provider.acceptsIssuer("https://github.com/login/oauth"))
        RedirectConformance.answerGitHub(
            stage.far, "https://ghe.example.com/api/v3/user/emails?per_page=100",
            .json(#"[{"email":"ann@users.noreply.ghe.example.com","primary":true,"verified":true}]"#))
        #expect(try await stage.redeem().get().email?.isRelay == true)
    }

    @Test("an endpoint may have a path prefix, and a port outside the realm")
    func endpointWithPath() async throws {
        let web = "http://github.localhost:8081/github"
        let stage = try RedirectStage(
            .github(
                web: web, api: web + "/api/v3", realm: "github.localhost"
            ) { $0.endpoint = web })
        #expect(try await stage.redeem().get().realm == "github.localhost")
    }

    @Test("J-05: a GitHub adapter needs an id and a secret")
    func configurationProblems() {
        #expect(throws: ProviderConfigurationProblem(setting: "GITHUB_CLIENT_ID", reason: "empty")) {
            try stage { $0.clientID = "" }
        }
        #expect(throws: ProviderConfigurationProblem(setting: "GITHUB_CLIENT_SECRET", reason: "empty")) {
            try stage { $0.clientSecret = Secret("") }
        }
        #expect(throws: ProviderConfigurationProblem.self) { try stage { $0.endpoint = "https://ghe.example.com?x=1" } }
    }
}
