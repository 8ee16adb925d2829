import JSON
import Providers
import TestSupport
import Testing

@Suite("Cognito user pools")
struct CognitoProviderTests {
    private static let updatedKeys =
        "https://issuer-cognito-idp.us-east-1.amazonaws.com/us-east-1_Example01/.well-known/jwks.json"

    @Test("J-22: only a token with token_use id signs in", arguments: ["access", "ID", "", .null, 7, ["id"]] as [JSON])
    func tokenUse(value: JSON) async throws {
        let stage = try Stage(.cognito)
        #expect(try await stage.signIn(["token_use": value]).word == "wrong_token_type")
        #expect(stage.far.calls.isEmpty)
    }

    @Test("J-22: a Cognito access token is refused")
    func accessToken() async throws {
        let answer = try await Stage(.cognito).signIn([
            "token_use": "access", "aud": .null, "client_id": "client1", "scope": "aws.cognito.signin.user.admin",
        ])
        #expect(answer.word == "wrong_token_type")
    }

    @Test("the updated issuer is the same pool with its own keys")
    func updatedIssuer() async throws {
        let stage = try Stage(.cognito)
        let issuer: JSON = "https://issuer-cognito-idp.us-east-1.amazonaws.com/us-east-1_Example01"
        stage.far[Self.updatedKeys] = .init { _ in .success(.json(TestKeys.set([]))) }
        #expect(try await stage.signIn().word == "ok")
        #expect(try await stage.signIn(["iss": issuer]).word == "unavailable", "the other issuer's keys don't count")
        let usual = try TestKeys.usualSet
        stage.far[Self.updatedKeys] = .init { _ in .success(.json(usual)) }
        stage.clock.advance(by: .seconds(10))
        #expect(try await stage.signIn(["iss": issuer]).get().realm == "us-east-1_Example01")
    }

    @Test(
        "another pool, region or host is refused without a request",
        arguments: [
            "https://cognito-idp.us-east-1.amazonaws.com/us-east-1_Example02",
            "https://cognito-idp.eu-west-1.amazonaws.com/us-east-1_Example01",
            "https://cognito-idp.us-east-1.amazonaws.com.evil.example/us-east-1_Example01",
        ])
    func otherPool(issuer: String) async throws {
        let stage = try Stage(.cognito)
        #expect(try await stage.signIn(["iss": .string(issuer)]).word == "issuer_not_allowed")
        #expect(stage.far.calls.isEmpty)
    }

    @Test("a refreshed token keeps the time of its old sign-in")
    func refreshed() async throws {
        let stage = try Stage(.cognito)
        #expect(try await stage.signIn(["auth_time": .integer(TestClock.seconds - 601)]).word == "too_old")
        #expect(try await stage.signIn(["auth_time": .integer(TestClock.seconds - 599)]).word == "ok")
    }

    @Test("an untrusted pool verifies no address")
    func untrusted() async throws {
        var about = ProviderConformance.cognito
        about = ProviderConformance(
            name: about.name, member: about.member, issuer: about.issuer, audience: about.audience,
            keysURL: about.keysURL, claims: about.claims, subjectClaim: "sub", realm: about.realm,
            make: {
                try CognitoProvider(
                    .init(region: "us-east-1", userPoolID: "us-east-1_Example01", clientIDs: ["client1"]), upstream: $0)
            })
        #expect(try await Stage(about).signIn().get().email?.authority == .unverified)
    }

    @Test(
        "J-05: region, pool and clients must be well-formed",
        arguments: [
            ("", "us-east-1_A", "c", "COGNITO_REGION"), ("evil.example/", "us-east-1_A", "c", "COGNITO_REGION"),
            ("us-east-1", "eu-west-1_A", "c", "COGNITO_USER_POOL_ID"),
            ("us-east-1", "us-east-1_A/../x", "c", "COGNITO_USER_POOL_ID"),
            ("us-east-1", "us-east-1_", "c", "COGNITO_USER_POOL_ID"),
            ("us-east-1", "us-east-1_A", "", "COGNITO_CLIENT_IDS"),
        ])
    func configurationProblems(row: (region: String, pool: String, client: String, setting: String)) throws {
        let upstream = Upstream(transport: FarSide(), health: ProviderHealth(provider: .cognito))
        do {
            _ = try CognitoProvider(
                .init(region: row.region, userPoolID: row.pool, clientIDs: [row.client]), upstream: upstream)
            Issue.record("was built")
        } catch {
            #expect(error.setting == row.setting)
        }
    }
}
