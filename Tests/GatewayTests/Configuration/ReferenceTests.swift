import Foundation
import Outbound
import Providers
import Settings
import Testing

@testable import GatewaySettings

@Suite("The example file and the reference")
struct ReferenceTests {
    private static func text(_ path: String) throws -> String {
        try String(contentsOf: Configurations.root.appending(path: path), encoding: .utf8)
    }

    /// The name of a key without the id of a provider.
    private static func general(_ name: String) -> String {
        name.replacingOccurrences(of: "OIDC_GOOGLE_", with: "OIDC_<ID>_")
            .replacingOccurrences(of: "OIDC_ACME_", with: "OIDC_<ID>_")
    }

    /// Every key of the example, including those after a `#`.
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
        #expect(Set(example.map(Self.general)) == Set(ConfigurationKey.all.map(\.name)))
    }

    @Test(".env.example equals the output of the code")
    func exampleFile() throws {
        let isCurrent = try Self.text(".env.example") == EnvironmentExample.text + "\n"
        #expect(isCurrent, "run scripts/settings.sh")
    }

    @Test("the code lists no key twice")
    func uniqueKeys() {
        let names = ConfigurationKey.all.map(\.name)
        #expect(names.count == Set(names).count)
    }

    @Test("docs/configuration.md equals the output of the code")
    func referencePage() throws {
        let isCurrent = try Self.text("docs/configuration.md") == ConfigurationReference.text + "\n"
        #expect(isCurrent, "run scripts/settings.sh")
    }

    @Test("the code reads exactly the listed keys")
    func readKeys() throws {
        var values = EnvironmentFile(text: EnvironmentExample.text).values
        values["APPLE_PRIVATE_KEY"] = try Configurations.appleKey()
        values["CLIENT_SECRET"] = "0123456789abcdef"
        let configuration = try Configurations.read(values.merging(Configurations.needed) { $1 }.mapValues { $0 })
        let read = Set(configuration.readings.map { Self.general($0.key.name) })
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
        let ids = ProviderList.all.compactMap { $0.id?.rawValue } + ["google", "acme"]
        #expect(configuration.providers.ids == ids)
        let client = HTTPClient()
        let (registry, problems) = ProviderRegistry.build(configuration.providers.configured) {
            Upstream(transport: client, health: ProviderHealth(provider: $0))
        }
        #expect(problems == [])
        let redirecting = registry.all.compactMap { $0 as? any RedirectSignIn }.filter(\.canRedirect)
        #expect(Set(redirecting.map(\.id.rawValue)) == Set(ids).subtracting(["cognito"]))
    }

    @Test("a change of one word does not make the example fit for production")
    func exampleIsNotForProduction() throws {
        var values = EnvironmentFile(text: try Self.text(".env.example")).values
        values["ENVIRONMENT"] = "production"
        #expect(throws: ConfigurationError.self) {
            try GatewayConfiguration(reader: Configurations.reader(values))
        }
    }
}
