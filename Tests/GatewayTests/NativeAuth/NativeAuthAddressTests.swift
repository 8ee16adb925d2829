import JSON
import Postgres
import TestSupport
import Testing

@testable import Clients
@testable import Commands

/// The addresses of the door, as an app's configuration names them.
@Suite("Native authentication: addresses", .gateway())
struct NativeAuthAddressTests {
    private static let publicURL = "https://login.ducks.org"

    @Test(
        "the discovery document and a sign-in answer at the authority that the command prints",
        arguments: [true, false])
    func authority(isNamed: Bool) async throws {
        let api = try await NativeAuthAPI.current
        let app = NativeAuthApp(
            tenantID: NativeAuthAPI.tenantID, tenantName: isNamed ? NativeAuthAPI.tenantName : nil,
            applicationID: NativeAuthAPI.application)
        let configuration = MSALConfiguration(
            app, publicURL: Self.publicURL, takesPasswords: true, redirectURIs: [])
        let path = String(configuration.authority.dropFirst(Self.publicURL.count))
        let document = try await api.gateway.get("\(path)/v2.0/.well-known/openid-configuration")
        #expect(document.json["token_endpoint"]?.string?.hasSuffix("\(path)/oauth2/v2.0/token") == true)
        let started = try await api.gateway.send(
            TestRequest("POST", "\(path)/oauth2/v2.0/initiate").form([
                ("client_id", app.applicationID), ("username", Fresh.email()), NativeAuthAPI.challengeTypes,
            ]))
        #expect(started.status == 200 && started.json["continuation_token"]?.string != nil, "\(started.text)")
    }

    @Test("the address for a browser leads to the sign-in page of the app")
    func browser() async throws {
        let api = try await NativeAuthAPI.current
        let answer = try await api.gateway.get(
            "/\(api.tenant)/oauth2/v2.0/authorize?client_id=\(NativeAuthAPI.application)&scope=offline_access&state=s1")
        let target = answer.header("Location") ?? ""
        #expect(answer.status == 303 && target.hasPrefix("/login?client_id=app&"), "\(target)")
        #expect(target.contains("state=s1") && target.contains("scope=openid%20offline_access"), "\(target)")
    }

    @Test("an app can reveal that a user does not exist, and its API can be turned off")
    func settings() async throws {
        try await withGateway { gateway in
            let api = try await NativeAuthAPI.enabled(on: gateway)
            func initiate() async throws -> NativeAuthAnswer {
                try await api.call(
                    "/oauth2/v2.0/initiate", [("username", Fresh.email()), NativeAuthAPI.challengeTypes])
            }
            #expect(try await initiate().status == 200)
            try await gateway.change(
                "update clients set dialects = jsonb_set(dialects, '{native_auth,reveals_users}', 'true') where id = 'app'"
            )
            let unknown = try await poll {
                let answer = try await initiate()
                return answer.status == 400 ? answer : nil
            }
            #expect(unknown.error == "user_not_found", "\(unknown.json.text)")
            try await gateway.change("update clients set dialects = '{}' where id = 'app'")
            let off = try await poll {
                let answer = try await initiate()
                return answer.error == "user_not_found" ? nil : answer
            }
            #expect(off.error == "unauthorized_client", "\(off.json.text)")
        }
    }
}
