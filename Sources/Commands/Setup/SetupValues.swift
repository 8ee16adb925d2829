import Configuration
import GatewaySettings
import HTTPServer
import Providers
import Settings

/// The settings that an operator chooses for a new deployment.
struct SetupValues: Sendable, Equatable {
    private var values: [String: String] = [:]

    /// Nil or an empty text removes the setting.
    subscript(key: ConfigurationKey) -> String? {
        get { values[key.name] }
        set { values[key.name] = newValue.flatMap { $0.isEmpty ? nil : $0 } }
    }

    /// Sets the setting of a name.
    ///
    /// - Throws: ``Failure`` for an unknown name, with the nearest one.
    mutating func set(_ name: String, _ value: String) throws(Failure) {
        if let complaint = UnknownKeys.complaints(about: [name], providers: providerIDs).first {
            throw Failure("\(complaint)")
        }
        guard let key = keys.first(where: { $0.name == name }) else {
            throw Failure("\(name): is no key of the gateway. docs/configuration.md lists them.")
        }
        self[key] = value
    }

    /// Every known setting, with those of the named OpenID Connect providers.
    var keys: [ConfigurationKey] {
        ConfigurationKey.all.flatMap { key in key.hasPlaceholder ? providerIDs.map(key.named) : [key] }
    }

    /// The ids of the OpenID Connect providers.
    var providerIDs: [String] {
        (self[.openIDConnectProviders] ?? "").split(separator: ",").map { ValueShape.trimmed($0) }
    }

    /// `production`, except for an address without TLS.
    var suitableEnvironment: String { self[.publicURL]?.hasPrefix("https://") == true ? "production" : "development" }

    /// The configuration that `serve` would read; the public address has no default here.
    func configuration() throws(ConfigurationError) -> GatewayConfiguration {
        guard self[.publicURL] != nil else {
            throw ConfigurationError(complaints: [.init(key: ConfigurationKey.publicURL.name, text: "is missing")])
        }
        let secrets = SecretsSpecifier<String, String>.specific(Set(keys.filter(\.isSecret).map(\.name)))
        let reader = ConfigReader(
            provider: EnvironmentVariablesProvider(environmentVariables: values, secretsSpecifier: secrets))
        return try GatewayConfiguration(reader: reader, names: Array(values.keys))
    }

    /// The errors about some settings; those of other settings may still be missing.
    func complaints(about asked: [ConfigurationKey]) -> [ConfigurationError.Complaint] {
        do {
            _ = try configuration()
            return []
        } catch {
            let names = asked.map(\.name)
            return error.complaints.filter { names.contains($0.key) }
        }
    }

    /// The text of the `.env` file: each setting below its explanation, in the order of the reference.
    var text: String {
        var lines = ["# Written by gateway init. docs/configuration.md describes every setting."]
        var title: String?
        for key in keys {
            guard let value = self[key] else { continue }
            if title != key.group.title { lines += ["", "# --- \(key.group.title) ---"] }
            title = key.group.title
            lines += [""] + SettingText.wrapped(SettingText.of(key.summary), width: 116).map { "# \($0)" }
            lines.append("\(key.name)=\(value)")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
