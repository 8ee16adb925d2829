import Foundation
import Settings
import TestSupport
import Testing

@testable import GatewaySettings

/// A command reads its settings from any folder, and validates only those that it uses.
@Suite("The settings of a command")
struct SettingsUseTests {
    @Test(
        "an error in a setting stops only the commands that use it",
        arguments: [
            ("DATABASE_URL", nil, [true, true, true, true]), ("LOG_LEVEL", "loud", [true, true, true, true]),
            ("MASTER_KEYS", nil, [false, true, true, true]), ("HASH_ITERATIONS", "none", [false, false, true, false]),
            ("OIDC_PROVIDERS", "acme", [false, false, false, true]), ("PORT", "eighty", [false, false, false, false]),
            ("TLS_CERTIFICATE_FILE", "/nowhere", [false, false, false, false]),
        ] as [(String, String?, [Bool])])
    func used(key: String, value: String?, stops: [Bool]) {
        var values = Configurations.needed
        values[key] = value
        let uses: [SettingsUse] = [.database, .records, .passwords, .signInMethods]
        let failures = uses.map { use in
            (try? GatewayConfiguration(reader: Configurations.reader(values), for: use)) == nil
        }
        #expect(failures == stops)
        #expect((try? GatewayConfiguration(reader: Configurations.reader(values))) == nil)
    }

    @Test("a misspelt key is reported only with the setting that it may stand for")
    func misspelt() throws {
        let folder = try Self.folder("DATABSE_URL=postgres://localhost/x\n")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = "\(folder)/settings.env"
        let keys = ["MASTER_KEYS": Configurations.masterKeys]
        let error = #expect(throws: ConfigurationError.self) {
            try GatewayConfiguration.load(environmentFile: file, for: .records, environment: keys)
        }
        let complaints = error?.complaints.map(\.description) ?? []
        #expect(complaints.first?.hasPrefix("DATABASE_URL: is missing") == true, "\(complaints)")
        #expect(complaints.last == "DATABSE_URL: is no key of the gateway; did you mean DATABASE_URL?")
        _ = try GatewayConfiguration.load(
            environmentFile: file, for: .records, environment: Configurations.needed)
    }

    @Test("a setting that every deployment has is perhaps in another file: its refusal names the option")
    func otherFile() {
        let error = #expect(throws: ConfigurationError.self) {
            try GatewayConfiguration(reader: Configurations.reader([:]), for: .records)
        }
        let missing = (error?.complaints ?? []).filter { ["MASTER_KEYS", "DATABASE_URL"].contains($0.key) }
        #expect(missing.count == 2)
        #expect(missing.allSatisfy { $0.text.hasPrefix("is missing") && $0.text.contains("--env-file") }, "\(missing)")
    }

    @Test(
        "a relative path in a file is relative to the file, and one of the environment to the working folder",
        arguments: [
            ("MAIL_DIRECTORY=mails\n", [:], "FOLDER/mails"), ("MAIL_DIRECTORY=/tmp/mails\n", [:], "/tmp/mails"),
            ("", [:], "FOLDER/var/mail"), ("", ["MAIL_DIRECTORY": "mails"], "mails"),
        ] as [(String, [String: String], String)])
    func paths(text: String, environment: [String: String], expected: String) throws {
        let folder = try Self.folder(text)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let configuration = try GatewayConfiguration.load(
            environmentFile: "\(folder)/settings.env",
            environment: Configurations.needed.merging(environment) { $1 })
        #expect(configuration.delivery.route == .directory(expected.replacing("FOLDER", with: folder)))
    }

    @Test("a named file that does not exist is reported as such")
    func missing() {
        let error = #expect(throws: ConfigurationError.self) {
            try GatewayConfiguration.load(environmentFile: "/nowhere/at/all.env", environment: Configurations.needed)
        }
        #expect(error?.complaints.map(\.description) == ["/nowhere/at/all.env: does not exist"])
    }

    @Test("a command works from another folder, without the settings that it does not use")
    func otherFolder() async throws {
        try await withDeployment { deployment in
            let settings = deployment.environment.merging([
                "APPLE_PRIVATE_KEY_FILE": "apple.p8", "MICROSOFT_CLIENT_IDS": "not a GUID",
            ]) { $1 }
            let file = "\(deployment.folder)/gateway.env"
            try Self.write(settings.map { "\($0.key)=\($0.value)\n" }.joined(), to: file)
            for (command, status) in [
                (["accounts", "search", "ann"], 0), (["clients", "list"], 0), (["keys", "list"], 0),
                (["audit", "list"], 0), (["check-configuration"], 78),
            ] {
                let child = try ChildProcess("gateway", command + ["--env-file", file])
                #expect(await child.waitForExit(within: .seconds(90)) == status, "\(command): \(child.errors)")
                #expect(!child.errors.contains("APPLE_PRIVATE_KEY_FILE"), "\(child.errors)")
            }
        }
    }

    /// A folder with a file `settings.env`.
    private static func folder(_ text: String) throws -> String {
        let folder = try makeTemporaryFolder()
        try write(text, to: "\(folder)/settings.env")
        return folder
    }

    private static func write(_ text: String, to path: String) throws {
        let made = FileManager.default.createFile(
            atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
        try #require(made)
    }
}
