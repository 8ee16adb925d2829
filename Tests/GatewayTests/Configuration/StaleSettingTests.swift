import Clients
import Testing

@testable import GatewaySettings

@Suite("Settings of the first app that have no effect")
struct StaleSettingTests {
    /// What a later configuration says beside the app that an earlier one created.
    private static func stale(
        _ later: [String: String?], beside earlier: [String: String?]
    ) throws -> (settings: [StaleSetting], remedy: String) {
        let own: [String: String?] = ["CLIENT_ID": "shop", "CLIENT_SECRET": "the-first-secret-of-the-shop"]
        let held = try Configurations.read(own.merging(earlier) { $1 }).client
        let configuration = try Configurations.read(own.merging(later) { $1 })
        let settings = configuration.staleSettings(beside: held)
        return (settings, configuration.remedy(for: settings))
    }

    private static let claims = """
        {"url":null,"audience":null,"application":"\(ClaimsPolicy.entraApplication)","allowed":[],"failure":"closed",\
        "attributes":{"display_name":"name"},"refresh_seconds":null}
        """

    @Test(
        "a value that differs from the database is named with the command that stores it",
        arguments: [
            ("CLIENT_NAME", "Ann's shop", "Shop", #"--name 'Ann'\''s shop'"#),
            ("CLIENT_TYPE", "confidential", "public", "--type confidential"),
            (
                "CLIENT_ORIGINS", "http://localhost:1,http://localhost:2", "http://localhost:2",
                "--origin http://localhost:1 --origin http://localhost:2"
            ),
            (
                "CLIENT_REDIRECT_URIS", "https://a.example/?b=1", "https://a.example/",
                "--redirect-uri 'https://a.example/?b=1'"
            ),
            ("CLIENT_PROVIDERS", "password,passkey", "passkey,password", "--provider password --provider passkey"),
            ("CLIENT_SECOND_FACTOR", "required", "optional", "--second-factor required"),
            ("CLIENT_SIGN_UP_NAMES", "user_name", "email", "--sign-up-name user_name"),
            ("CLIENT_ATTRIBUTES", "birthdate:date!", "company", "--attribute 'birthdate:date!'"),
            ("CLIENT_GUESTS", "true", "false", "--guests true"),
            ("LINKING_POLICY", "ask", "both_verified", "--linking-policy ask"),
            ("ACCESS_TOKEN_SECONDS", "300", "600", "--access-token-seconds 300"),
            ("REFRESH_IDLE_DAYS", "1", "2", "--refresh-idle-seconds 86400"),
            ("REFRESH_MAXIMUM_DAYS", "31", "90", "--refresh-max-seconds 2678400"),
            ("CLAIMS_ATTRIBUTES", "display_name:name", "email:email", "--claims '\(claims)'"),
        ])
    func differs(key: String, later: String, earlier: String, options: String) throws {
        let stale = try Self.stale([key: later], beside: [key: earlier])
        #expect(stale.settings.map(\.name) == [key])
        #expect(stale.remedy.hasPrefix("Run: gateway clients change shop \(options). Or "), "\(stale.remedy)")
        #expect(stale.remedy.contains("http://localhost:8080/admin/clients/shop"))
    }

    @Test("the value of the database is shown, and a setting that lists none there says so")
    func shown() throws {
        let stale = try Self.stale(
            ["CLIENT_NAME": "Store", "CLIENT_ORIGINS": "http://localhost:1"], beside: ["CLIENT_NAME": "Shop"])
        #expect(
            stale.settings.map(\.fault) == [
                "CLIENT_NAME has no effect: in the database the app has Shop",
                "CLIENT_ORIGINS has no effect: in the database the app has none",
            ])
        #expect(stale.remedy.hasPrefix("Run: gateway clients change shop --name Store --origin http://localhost:1. "))
    }

    @Test("an unset setting, another order of addresses and an app that does not exist yet are no difference")
    func same() throws {
        #expect(try Self.stale([:], beside: ["CLIENT_NAME": "Shop", "CLIENT_GUESTS": "true"]).settings == [])
        let (one, other) = ("http://localhost:1,http://localhost:2", "http://localhost:2,http://localhost:1")
        #expect(try Self.stale(["CLIENT_ORIGINS": one], beside: ["CLIENT_ORIGINS": other]).settings == [])
        #expect(try Configurations.read(["CLIENT_ID": "shop"]).staleSettings(beside: nil) == [])
    }

    @Test("another secret is named without its value, and the command that makes a new one")
    func secret() throws {
        let stale = try Self.stale(["CLIENT_SECRET": "another-secret-of-the-shop"], beside: [:])
        #expect(stale.settings.map(\.name) == ["CLIENT_SECRET"])
        #expect(stale.remedy.hasPrefix("Run: gateway clients replace-secret shop (and put the new secret"))
        #expect(!"\(stale)".contains("another-secret"))
    }
}
