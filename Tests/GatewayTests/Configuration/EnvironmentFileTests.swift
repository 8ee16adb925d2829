import Foundation
import Settings
import Testing

@testable import GatewaySettings
@testable import HTTPServer

@Suite("The .env file")
struct EnvironmentFileTests {
    @Test("comments, empty lines and both line endings are understood")
    func plainFile() {
        let file = EnvironmentFile(text: "# a comment\n\nPORT=1\r\n  HOST = here \nEMPTY=\nURL=a=b#c\n")
        #expect(file.values == ["PORT": "1", "HOST": "here", "EMPTY": "", "URL": "a=b#c"])
        #expect(file.complaints == [])
    }

    @Test(
        "an ambiguous line is refused with its number, without its value",
        arguments: [
            "export CLIENT_SECRET=hush", "hush", "client_secret=hush", "PORT=2", "=hush", "9A=hush", "A B=hush",
        ])
    func strangeLines(line: String) {
        let file = EnvironmentFile(text: "PORT=1\n\(line)\n")
        #expect(file.complaints.map(\.key) == [".env line 2"])
        #expect(!file.complaints.description.contains("hush"))
        #expect(file.values == ["PORT": "1"])
    }

    @Test("the environment wins over the file")
    func precedence() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).env").path
        try Data("PORT=1\nOPS_PORT=2\n".utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let environment = Configurations.needed.merging(["PORT": "3"]) { $1 }
        let configuration = try GatewayConfiguration.load(environmentFile: path, environment: environment)
        #expect(configuration.server.port == 3)
        #expect(configuration.operations.port == 2)
    }

    @Test(
        "a misspelt key is reported with the correct one",
        arguments: [
            ("APPLE_NATIVE_CLIENTS_IDS", "APPLE_NATIVE_CLIENT_IDS"), ("MASTER_KEY", "MASTER_KEYS"), ("PROT", "PORT"),
            ("OIDC_ACME_CLIENT_ID", "OIDC_ACME_CLIENT_IDS"), ("ENVIROMENT", "ENVIRONMENT"),
        ])
    func misspelt(name: String, meant: String) {
        let complaints = UnknownKeys.complaints(about: [name], providers: ["acme"])
        #expect(complaints.map(\.text) == ["is no key of the gateway; did you mean \(meant)?"])
    }

    @Test(
        "keys of other programs are ignored", arguments: ["PGHOST", "EDITOR", "NODE_ENV", "COMPOSE_FILE"])
    func foreign(name: String) {
        #expect(UnknownKeys.complaints(about: [name], providers: []) == [])
    }

    @Test("a misspelt key is reported in the process environment too, but no key of another program")
    func misspeltVariable() {
        let foreign = [
            "HTTP_HOST", "HTTP_PORT", "APP_PORT", "APP_HOST", "SMTP_SERVER", "CLIENT_VERSION", "DATABASE_HOST",
            "LOG_DIR", "GITHUB_TOKEN", "GITHUB_ACTIONS", "HOSTNAME", "PATH", "AWS_REGION", "OIDC_OTHER_ISSUER",
        ]
        let own = ["PUBLIC_URL", "HASH_MEMORY_KIB", "OIDC_ACME_ISSUER"]
        let complaints = UnknownKeys.slips(
            among: foreign + own + ["TRUSTED_PROXYS", "ENVIROMENT", "MASTER_KEY"], providers: ["acme"])
        #expect(complaints.map(\.key) == ["ENVIROMENT", "MASTER_KEY", "TRUSTED_PROXYS"])
        #expect(complaints.last?.text == "is no key of the gateway; did you mean TRUSTED_PROXIES?")
    }

    @Test("loading looks at the process environment for misspelt keys")
    func misspeltVariableOnLoading() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).env").path
        try Data("PORT=1\n".utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let environment = Configurations.needed.merging(["TRUSTED_PROXYS": "10.0.0.1"]) { $1 }
        #expect(throws: ConfigurationError.self) {
            try GatewayConfiguration.load(environmentFile: path, environment: environment)
        }
    }

    @Test("keys of an OpenID Connect provider that isn't listed are unknown")
    func unlisted() {
        let complaints = UnknownKeys.complaints(about: ["OIDC_OTHER_ISSUER"], providers: ["acme"])
        #expect(complaints.map(\.key) == ["OIDC_OTHER_ISSUER"])
    }
}
