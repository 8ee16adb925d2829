import Configuration
import Foundation
package import Settings

extension GatewayConfiguration {
    /// Reads the process environment first, then the `.env` file.
    ///
    /// A relative path in the file is relative to the folder of the file, so that a command works from every folder.
    ///
    /// - Parameters:
    ///   - path: the file of `--env-file`, which must exist; `nil` for an optional `.env` in the working folder.
    ///   - use: the settings whose errors count.
    ///   - environment: the process environment.
    package static func load(
        environmentFile path: String?, for use: SettingsUse = .all,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(ConfigurationError) -> GatewayConfiguration {
        let file = try readFile(path)
        let folder = path.map { ($0 as NSString).deletingLastPathComponent } ?? ""
        let secrets = SecretsSpecifier<String, String>.specific(
            Set(ConfigurationKey.all.filter(\.isSecret).map(\.name)))
        let reader = ConfigReader(providers: [
            EnvironmentVariablesProvider(environmentVariables: environment, secretsSpecifier: secrets),
            EnvironmentVariablesProvider(
                environmentVariables: located(file.values, in: folder), secretsSpecifier: secrets),
        ])
        return try GatewayConfiguration(
            reader: reader, for: use, folder: folder, earlier: file.complaints, names: Array(file.values.keys),
            variables: environment.keys.filter { file.values[$0] == nil }, secretFiles: [path ?? standardFile])
    }

    static let standardFile = ".env"

    /// The values of a file in `folder`, with the place of each relative path.
    private static func located(_ values: [String: String], in folder: String) -> [String: String] {
        var values = values
        for key in ConfigurationKey.all where key.kind == .file {
            values[key.name] = values[key.name].map { key.located($0, in: folder) }
        }
        return values
    }

    private static func readFile(_ path: String?) throws(ConfigurationError) -> EnvironmentFile {
        let name = path ?? standardFile
        let exists = FileManager.default.fileExists(atPath: name)
        if path == nil, !exists { return EnvironmentFile() }
        guard let text = SecretFile.contents(of: name) else {
            let fault = exists ? "can't be read as text of at most 64 KiB" : "does not exist"
            throw ConfigurationError(complaints: [.init(key: name, text: fault)])
        }
        return EnvironmentFile(text: text, name: name)
    }
}
