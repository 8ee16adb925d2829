import Foundation
import Providers
import Testing

@testable import Gateway

@Suite("The example file and the reference")
struct ReferenceTests {
    private static func text(_ path: String) throws -> String {
        try String(contentsOf: Configurations.root.appending(path: path), encoding: .utf8)
    }

    /// Every key of the example, those behind a `#` included.
    private static func exampleKeys() throws -> [String] {
        try text(".env.example").split(separator: "\n").compactMap { line in
            let line = line.hasPrefix("#") ? line.dropFirst() : line
            let name = line.prefix { $0 != "=" }
            guard line.contains("="), !name.isEmpty, name.allSatisfy({ $0.isUppercase || $0.isNumber || $0 == "_" })
            else {
                return nil
            }
            return String(name)
        }
    }

    @Test("the example names every key of the code, and no other")
    func sameKeys() throws {
        let example = try Self.exampleKeys()
        #expect(example.count == Set(example).count)
        let general = example.map { name in
            name.replacingOccurrences(of: "OIDC_GOOGLE_", with: "OIDC_<ID>_")
                .replacingOccurrences(of: "OIDC_ACME_", with: "OIDC_<ID>_")
        }
        #expect(Set(general) == Set(ConfigurationKey.all.map(\.name)))
    }

    @Test("no key stands in the code's list twice")
    func uniqueKeys() {
        let names = ConfigurationKey.all.map(\.name)
        #expect(names.count == Set(names).count)
    }

    @Test("docs/configuration.md is what the code prints")
    func referencePage() throws {
        #expect(try Self.text("docs/configuration.md") == ConfigurationReference.text + "\n")
    }

    @Test("every key in the list is read, and every key that is read is in the list")
    func readKeys() throws {
        let configuration = try Configurations.read([
            "OIDC_PROVIDERS": "acme", "OIDC_ACME_ISSUER": "https://id.ducks.org", "OIDC_ACME_CLIENT_IDS": "a",
            "COGNITO_CLIENT_IDS": "a", "COGNITO_REGION": "eu-west-1", "COGNITO_USER_POOL_ID": "eu-west-1_Ducks",
            "APPLE_NATIVE_CLIENT_IDS": "org.ducks.app", "APPLE_TEAM_ID": "DUCKS12345", "GITHUB_CLIENT_ID": "a",
            "GITHUB_CLIENT_SECRET": "b",
        ])
        let read = Set(
            configuration.readings.map { $0.key.name.replacingOccurrences(of: "OIDC_ACME_", with: "OIDC_<ID>_") })
        #expect(read == Set(ConfigurationKey.all.map(\.name)))
    }

    @Test("with its placeholders filled, the example is in order for development")
    func exampleWorks() throws {
        let file = EnvironmentFile(text: try Self.text(".env.example"))
        #expect(file.complaints == [])
        var values = file.values
        let placeholders = values.filter { $0.value == "generate-me" }.keys.sorted()
        #expect(placeholders == ["APPLE_PRIVATE_KEY", "CLIENT_SECRET", "MASTER_KEYS"])
        values["APPLE_PRIVATE_KEY"] = try Configurations.appleKey()
        values["CLIENT_SECRET"] = "0123456789abcdef"
        values.merge(Configurations.needed) { $1 }
        let configuration = try GatewayConfiguration(
            reader: Configurations.reader(values), names: Array(values.keys))
        #expect(configuration.providers.ids == ["apple", "amazon", "microsoft", "cognito", "github", "google", "acme"])
        let client = HTTPClient()
        let (registry, problems) = ProviderRegistry.build(try configuration.providers.providers()) {
            Upstream(transport: client, health: ProviderHealth(provider: $0))
        }
        #expect(problems == [])
        let redirecting = registry.all.compactMap { $0 as? any RedirectSignIn }.filter(\.canRedirect)
        #expect(
            Set(redirecting.map(\.id.rawValue)) == ["apple", "amazon", "microsoft", "github", "google", "acme"])
    }

    @Test("the example can't be used for production by changing one word")
    func exampleIsNotForProduction() throws {
        var values = EnvironmentFile(text: try Self.text(".env.example")).values
        values["ENVIRONMENT"] = "production"
        #expect(throws: ConfigurationError.self) {
            try GatewayConfiguration(reader: Configurations.reader(values))
        }
    }
}
