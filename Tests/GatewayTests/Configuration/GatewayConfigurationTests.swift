import Clients
import Foundation
import Settings
import TestSupport
import Testing
import Vocabulary

@testable import GatewaySettings
@testable import HTTPServer

@Suite("Configuration")
struct GatewayConfigurationTests {
    @Test("unset values have their defaults")
    func defaults() throws {
        let configuration = try Configurations.read()
        #expect(configuration.server.port == 8080)
        #expect(configuration.server.host == "127.0.0.1")
        #expect(configuration.server.publicURL == "http://localhost:8080")
        #expect(configuration.server.requestTimeout == .seconds(10))
        #expect(configuration.operations.port == 9090)
        #expect(configuration.tokens.accessTokenSeconds == 600)
        #expect(configuration.passwords.hashMemoryKiB == 19_456)
        #expect(configuration.linkingPolicy == .link)
        #expect(configuration.delivery.route == .directory("var/mail"))
        #expect(configuration.firstClient == nil)
        #expect(configuration.providers.ids == [])
    }

    @Test("the names in PUBLIC_URL are no passwords, and neither are those of PASSWORD_WORDS")
    func serviceWords() throws {
        let plain = try Configurations.read(["PUBLIC_URL": "http://localhost:8080"])
        #expect(plain.passwords.serviceWords == ["localhost"])
        let named = try Configurations.read([
            "ENVIRONMENT": "development", "PUBLIC_URL": "https://login.duckshop.org", "PASSWORD_WORDS": "quack,Pondify",
        ])
        #expect(named.passwords.serviceWords == ["login", "duckshop", "org", "quack", "Pondify"])
    }

    @Test("port 0 disables the operators' door")
    func operationsOff() throws {
        #expect(try Configurations.read(["OPS_PORT": "0"]).operations.port == nil)
    }

    @Test(
        "a folder for messages that can't be written is an error that names it",
        arguments: [[:], ["SMTP_HOST": "smtp.ducks.org", "SMS_SENDER": "file"]])
    func unwritableFolder(other: [String: String]) {
        let settings = ["MAIL_DIRECTORY": "/dev/null/mail"]
        #expect(
            Configurations.complaints(settings.merging(other) { $1 }) == [
                "MAIL_DIRECTORY: files can't be written into /dev/null/mail: /dev/null is no folder"
            ])
    }

    @Test("a folder that takes no file, even of root, is an error, and the look leaves nothing in a good one")
    func trial() throws {
        let complaints = Configurations.complaints(["MAIL_DIRECTORY": "/proc/mail"])
        #expect(complaints.map { $0.hasSuffix("into /proc") } == [true])
        let folder = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        _ = try Configurations.read(["MAIL_DIRECTORY": "\(folder)/mail"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }

    @Test("a folder for messages that no message reaches is not looked at")
    func unusedFolder() throws {
        _ = try Configurations.read(["MAIL_DIRECTORY": "/dev/null/mail", "SMTP_HOST": "smtp.ducks.org"])
    }

    @Test("a complaint about many settings is one line with their names; about few, a line for each")
    func alike() {
        func error(_ keys: [String]) -> ConfigurationError {
            ConfigurationError(
                complaints: keys.map { .init(key: $0, text: "must be https") } + [.init(key: "Z", text: "is missing")])
        }
        #expect(
            error(["A", "B", "C", "D"]).description
                == "The configuration has 5 things to mend:\n  A, B, C, D: must be https\n  Z: is missing")
        #expect(error(["A", "B"]).description.hasSuffix("\n  A: must be https\n  B: must be https\n  Z: is missing"))
    }

    @Test("all errors are reported together")
    func allAtOnce() {
        let complaints = Configurations.complaints([
            "PORT": "eighty", "DATABASE_URL": nil, "MASTER_KEYS": "k1:short", "LINKING_POLICY": "never",
            "ACCESS_TOKEN_SECONDS": "0",
        ])
        #expect(
            complaints.map { $0.prefix { $0 != ":" } } == [
                "PORT", "DATABASE_URL", "MASTER_KEYS", "ACCESS_TOKEN_SECONDS", "LINKING_POLICY",
            ])
    }

    @Test(
        "a malformed value is refused with its key",
        arguments: [
            ("PORT", "65536"), ("PORT", "-1"), ("PORT", "80 80"), ("PUBLIC_URL", "http://login.ducks.org"),
            ("PUBLIC_URL", "https://login.ducks.org/path"), ("PUBLIC_URL", "ftp://localhost"),
            ("PUBLIC_URL", "https://user@login.ducks.org"), ("ENVIRONMENT", "prod"), ("LOG_LEVEL", "loud"),
            ("LOG_FORMAT", "xml"), ("REFRESH_MAXIMUM_DAYS", "29"), ("MAIL_FROM", "Ann <ann@ducks.org>"),
            ("SMTP_SECURITY", "ssl"), ("NATIVE_NONCE", "yes"), ("INSECURE_ALLOW_LOCAL_PROVIDERS", "1"),
            ("PUBLIC_URL", "https://Login.ducks.org"), ("PUBLIC_URL", "https://login.ducks.org:443"),
            ("ACCESS_TOKEN_SECONDS", "59"), ("ACCESS_TOKEN_SECONDS", "3601"), ("REFRESH_MAXIMUM_DAYS", "366"),
            ("DATABASE_URL", "postgres://[::"), ("OIDC_PROVIDERS", "Apple"), ("OIDC_PROVIDERS", "apple"),
            ("REFRESH_LATE_REPEAT_HOURS", "25"), ("REFRESH_LATE_REPEAT_HOURS", "-1"), ("CLIENT_TYPE", "private"),
        ])
    func outOfForm(key: String, value: String) {
        let complaints = Configurations.complaints([key: value])
        #expect(complaints.contains { $0.hasPrefix("\(key): ") }, "\(complaints)")
    }

    @Test(
        "a value that looks quoted or commented is refused and not shown",
        arguments: ["\"quoted-1234567890\"", "'quoted-1234567890'", "secret-1234567890 # mine", "secret-1234567890\t#"])
    func quoted(value: String) {
        let complaints = Configurations.complaints(["CLIENT_SECRET": value])
        #expect(complaints.count == 1)
        #expect(complaints.allSatisfy { $0.hasPrefix("CLIENT_SECRET: ") && !$0.contains("1234567890") })
    }

    @Test("a placeholder is refused as a secret", arguments: ["MASTER_KEYS", "CLIENT_SECRET", "DATABASE_URL"])
    func placeholder(key: String) {
        let complaints = Configurations.complaints([key: "generate-me"])
        #expect(complaints.count == 1)
        #expect(complaints.first?.hasPrefix("\(key): still reads generate-me") == true)
    }

    @Test("no secret is printed, neither in errors nor in the summary")
    func secretsStayIn() throws {
        let secrets = [
            "DATABASE_URL": "postgres://gateway:hush-database@localhost/x", "CLIENT_SECRET": "hush-client-1234567",
            "SMTP_PASSWORD": "hush-smtp", "SMTP_USER": "login", "SMTP_HOST": "localhost", "CLIENT_ID": "app",
        ]
        let summary = ConfigurationSummary.text(try Configurations.read(secrets.mapValues { $0 }))
        #expect(!summary.contains("hush"))
        #expect(!summary.contains("AAECAwQF"))
        let wrong = Configurations.complaints(
            ["MASTER_KEYS": "k1:hush-hush", "SMTP_PASSWORD": "\"hush", "DATABASE_URL": "postgres://u:hush@[::"])
        #expect(wrong.count >= 3)
        #expect(!wrong.joined().contains("hush"))
    }

    @Test("the first app's settings are read")
    func firstClient() throws {
        let client = try #require(
            try Configurations.read([
                "CLIENT_ID": "app", "CLIENT_ORIGINS": "https://ducks.org, http://localhost:3000",
                "CLIENT_PROVIDERS": "github,password", "GITHUB_CLIENT_ID": "a", "GITHUB_CLIENT_SECRET": "b",
            ]).firstClient)
        #expect(client.id == "app")
        #expect(client.name == "app")
        #expect(client.origins == ["https://ducks.org", "http://localhost:3000"])
        #expect(client.providers == ["github", "password"])
    }

    @Test("F3, F9: the first app's type and accepted audiences are read")
    func firstClientType() throws {
        let providers = [
            "CLIENT_ID": "app", "APPLE_NATIVE_CLIENT_IDS": "a,b", "APPLE_TEAM_ID": "DUCKS12345",
            "GITHUB_CLIENT_ID": "a", "GITHUB_CLIENT_SECRET": "b",
        ]
        let usual = try #require(try Configurations.read(providers).client)
        #expect(usual.kind == .public && usual.acceptedAudiences.isEmpty)
        let client = try #require(
            try Configurations.read(
                providers.merging([
                    "CLIENT_TYPE": "confidential", "CLIENT_SECRET": "sixteen-or-more-characters",
                    "CLIENT_ACCEPTED_AUDIENCES": "apple:a,github:a,apple:urn:b",
                ]) { $1 }
            ).client)
        #expect(client.kind == .confidential)
        #expect(client.acceptedAudiences == ["apple": ["a", "urn:b"], "github": ["a"]])
        #expect(client.allows(audiences: ["a"], of: "apple") && client.allows(audiences: ["x"], of: "google"))
        // Every audience of a token must be accepted, and a token must have one.
        #expect(!client.allows(audiences: ["a", "x"], of: "apple") && !client.allows(audiences: [], of: "apple"))
    }

    @Test(
        "F3, F9: a type without its secret, and audiences without effect, are refused",
        arguments: [
            ("CLIENT_TYPE", "confidential"), ("CLIENT_ACCEPTED_AUDIENCES", "apple"),
            ("CLIENT_ACCEPTED_AUDIENCES", "apple:"), ("CLIENT_ACCEPTED_AUDIENCES", ":a"),
            ("CLIENT_ACCEPTED_AUDIENCES", "appel:a"),
        ])
    func firstClientRefused(key: String, value: String) {
        let complaints = Configurations.complaints([
            "CLIENT_ID": "app", "APPLE_NATIVE_CLIENT_IDS": "a", "APPLE_TEAM_ID": "DUCKS12345", key: value,
        ])
        #expect(complaints.map { $0.hasPrefix("\(key): ") } == [true], "\(complaints)")
    }

    @Test(
        "an origin consists of scheme, host and port",
        arguments: [
            "*", "https://ducks.org/", "https://ducks.org/path", "ducks.org", "http://ducks.org", "null",
            "https://Ducks.org", "https://ducks.org:443", "http://localhost:80",
        ])
    func origins(origin: String) {
        let complaints = Configurations.complaints(["CLIENT_ID": "app", "CLIENT_ORIGINS": origin])
        #expect(complaints.map { $0.hasPrefix("CLIENT_ORIGINS: ") } == [true])
    }

    @Test(
        "hash parameters beyond the limits of verification are refused",
        arguments: [("262145", "1"), ("7168", "17"), ("262144", "9"), ("131073", "16")])
    func dearHashes(memory: String, passes: String) {
        let complaints = Configurations.complaints(["HASH_MEMORY_KIB": memory, "HASH_ITERATIONS": passes])
        #expect(complaints.map { $0.hasPrefix("HASH_") } == [true], "\(complaints)")
    }

    @Test("a cost that is too high as a product names both values")
    func dearProduct() {
        let complaints = Configurations.complaints(["HASH_MEMORY_KIB": "262144", "HASH_ITERATIONS": "9"])
        #expect(complaints.first?.contains("HASH_MEMORY_KIB=262144 times HASH_ITERATIONS=9") == true)
        #expect(Configurations.complaints(["HASH_MEMORY_KIB": "262144", "HASH_ITERATIONS": "8"]) == [])
        #expect(Configurations.complaints(["HASH_MEMORY_KIB": "131072", "HASH_ITERATIONS": "16"]) == [])
    }

    @Test(
        "an unknown provider is an error in every setting",
        arguments: [
            ("CLIENT_PROVIDERS", "aple"), ("CLIENT_PROVIDERS", "password,apple"), ("MIGRATE_PASSWORDS_FROM", "cognito"),
            ("MIGRATE_PASSWORDS_FROM", "microsoft"),
        ])
    func absentProvider(key: String, value: String) {
        let complaints = Configurations.complaints(["CLIENT_ID": "app", key: value])
        #expect(complaints.map { $0.hasPrefix("\(key): ") } == [true], "\(complaints)")
    }

    @Test("a client may list each of our own sign-in methods")
    func ownSignInMethods() {
        let all = "password,email_otp,sms_otp,passkey"
        #expect(Configurations.complaints(["CLIENT_ID": "app", "CLIENT_PROVIDERS": all]) == [])
    }

    @Test(
        "two doors on one address and port are an error",
        arguments: [
            (["PORT": "9090"], true), (["PORT": "9090", "HOST": "0.0.0.0"], true),
            (["PORT": "9090", "OPS_HOST": "127.0.0.2"], false), (["PORT": "0", "OPS_PORT": "0"], false),
        ])
    func onePort(changes: [String: String], isRefused: Bool) {
        let complaints = Configurations.complaints(changes.mapValues { $0 })
        #expect(complaints.map { $0.hasPrefix("OPS_PORT: ") } == (isRefused ? [true] : []), "\(complaints)")
    }

    @Test("the mail server's port follows its security", arguments: [("starttls", 587), ("tls", 465), ("none", 25)])
    func mailPort(security: String, port: Int) throws {
        let delivery = try Configurations.read(["SMTP_HOST": "localhost", "SMTP_SECURITY": security]).delivery
        guard case .smtp(let smtp) = delivery.route else {
            Issue.record("mail does not go through the server")
            return
        }
        #expect(smtp.port == port)
    }
}
