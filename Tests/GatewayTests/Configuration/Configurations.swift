import Configuration
import Cryptography
import Foundation
import Settings
import Testing

@testable import GatewaySettings

/// Configurations for tests: all required keys, and nothing from the process.
enum Configurations {
    /// 32 bytes 0, 1, 2 … 31 in base64url.
    static let masterKeys = "k1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"

    static let needed = [
        "DATABASE_URL": "postgres://gateway:not-to-be-shown@localhost/gateway",
        "MASTER_KEYS": masterKeys,
    ]

    static let production = needed.merging([
        "ENVIRONMENT": "production", "PUBLIC_URL": "https://login.ducks.org", "SMTP_HOST": "smtp.ducks.org",
        "MAIL_FROM": "login@ducks.org",
    ]) { $1 }

    /// Reads the required keys with changes; `nil` removes a key.
    static func read(
        _ changes: [String: String?] = [:], base: [String: String] = needed
    ) throws(ConfigurationError) -> GatewayConfiguration {
        try GatewayConfiguration(reader: reader(values(changes, base)))
    }

    /// The errors of a configuration, as `KEY: text`.
    static func complaints(_ changes: [String: String?], base: [String: String] = needed) -> [String] {
        do {
            _ = try read(changes, base: base)
            return []
        } catch {
            return error.complaints.map(\.description)
        }
    }

    static func reader(_ values: [String: String]) -> ConfigReader {
        ConfigReader(providers: [EnvironmentVariablesProvider(environmentVariables: values)])
    }

    private static func values(_ changes: [String: String?], _ base: [String: String]) -> [String: String] {
        var values = base
        for (key, value) in changes { values[key] = value }
        return values
    }

    /// A fresh key on one line, in the form of `APPLE_PRIVATE_KEY`.
    static func appleKey() throws -> String {
        try PrivateKey.generateP256().pem.split(separator: "\n").joined(separator: "\\n")
    }

    /// The folder of the package.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
}
