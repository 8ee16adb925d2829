import Configuration
import Foundation
package import Settings

extension GatewayConfiguration {
    /// Reads the process environment first, then the `.env` file.
    ///
    /// - Parameters:
    ///   - path: the file of `--env-file`, which must exist; `nil` for an optional `.env` in the working folder.
    ///   - environment: the process environment.
    package static func load(
        environmentFile path: String?, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(ConfigurationError) -> GatewayConfiguration {
        let file = try readFile(path)
        let secrets = SecretsSpecifier<String, String>.specific(
            Set(ConfigurationKey.all.filter(\.isSecret).map(\.name)))
        let reader = ConfigReader(providers: [
            EnvironmentVariablesProvider(environmentVariables: environment, secretsSpecifier: secrets),
            EnvironmentVariablesProvider(environmentVariables: file.values, secretsSpecifier: secrets),
        ])
        return try GatewayConfiguration(
            reader: reader, earlier: file.complaints, names: Array(file.values.keys),
            variables: environment.keys.filter { file.values[$0] == nil }, secretFiles: [path ?? standardFile])
    }

    static let standardFile = ".env"

    private static func readFile(_ path: String?) throws(ConfigurationError) -> EnvironmentFile {
        let name = path ?? standardFile
        if path == nil, !FileManager.default.fileExists(atPath: name) { return EnvironmentFile() }
        guard let text = SecretFile.contents(of: name) else {
            throw ConfigurationError(complaints: [.init(key: name, text: "can't be read as text of at most 64 KiB")])
        }
        return EnvironmentFile(text: text, name: name)
    }
}
