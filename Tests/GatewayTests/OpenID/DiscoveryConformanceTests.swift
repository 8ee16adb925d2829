import Foundation
import JSON
import Testing

/// Modelled on the discovery modules of the OpenID Foundation's plans, which want https for every address.
@Suite(
    "OpenID Connect, discovery at an https address",
    .gateway(["PUBLIC_URL": "https://login.example.org", "ENVIRONMENT": "development"]))
struct DiscoveryConformanceTests {
    private static let issuer = "https://login.example.org"

    private static func metadata() async throws -> JSON {
        let answer = try await GatewayProcess.current.get("/.well-known/openid-configuration")
        #expect(answer.status == 200 && answer.header("Content-Type") == "application/json")
        return answer.json
    }

    @Test("oidcc-discovery-endpoint-verification: the issuer is the address, and every endpoint is https below it")
    func endpoints() async throws {
        let json = try await Self.metadata()
        #expect(json["issuer"]?.string == Self.issuer)
        let members = (json.object?.members ?? []).filter { $0.name.hasSuffix("_endpoint") || $0.name == "jwks_uri" }
        #expect(members.count >= 9)
        for member in members {
            #expect(member.value.string?.hasPrefix(Self.issuer + "/") == true, "\(member.name)")
        }
    }

    @Test("oidcc-rp-initiated-logout-discovery-endpoint-verification: the endpoint for sign-outs is listed")
    func logout() async throws {
        let endpoint = try #require(try await Self.metadata()["end_session_endpoint"]?.string)
        #expect(endpoint == Self.issuer + "/end-session")
        #expect(try await GatewayProcess.current.get("/end-session").status != 404)
    }

    @Test("oidcc-backchannel-logout-discovery-endpoint-verification: back-channel sign-outs, with the session")
    func backChannel() async throws {
        let json = try await Self.metadata()
        #expect(json["backchannel_logout_supported"] == true)
        #expect(json["backchannel_logout_session_supported"] == true)
    }

    @Test("oidcc-idtoken-unsigned: skipped, because no list of algorithms has none")
    func unsigned() async throws {
        let lists = (try await Self.metadata().object?.members ?? []).filter { $0.name.contains("signing_alg") }
        #expect(lists.count >= 4)
        for list in lists { #expect(list.value.array?.contains("none") == false, "\(list.name)") }
    }
}
