import Foundation
import Settings
import Testing

@testable import GatewaySettings
@testable import HTTPServer

@Suite("Production")
struct ProductionTests {
    @Test("a proper configuration is accepted")
    func ownValues() {
        #expect(Configurations.complaints([:], base: Configurations.production) == [])
    }

    @Test(
        "development values are refused",
        arguments: [
            ("PUBLIC_URL", "http://localhost:8080"), ("SMTP_HOST", nil), ("MAIL_FROM", nil), ("SMTP_SECURITY", "none"),
            ("INSECURE_ALLOW_LOCAL_PROVIDERS", "true"), ("CLIENT_ID", "example-app"),
        ] as [(String, String?)])
    func developmentValues(key: String, value: String?) {
        let complaints = Configurations.complaints([key: value], base: Configurations.production)
        #expect(complaints.map { $0.hasPrefix("\(key): ") } == [true], "\(complaints)")
    }

    @Test("F15: an https PUBLIC_URL requires ENVIRONMENT", arguments: [nil, ""] as [String?])
    func environment(value: String?) {
        let complaints = Configurations.complaints(["ENVIRONMENT": value], base: Configurations.production)
        #expect(complaints.map { $0.hasPrefix("ENVIRONMENT: must be set") } == [true], "\(complaints)")
        #expect(Configurations.complaints(["ENVIRONMENT": "development"], base: Configurations.production) == [])
        #expect(Configurations.complaints(["PUBLIC_URL": "http://localhost:8080", "ENVIRONMENT": value]) == [])
    }

    @Test("K5: the default drain takes five seconds in production and none in development")
    func drain() throws {
        #expect(try Configurations.read(base: Configurations.production).server.drainTime == .seconds(5))
        #expect(try Configurations.read().server.drainTime == .zero)
        #expect(try Configurations.read(["DRAIN_SECONDS": "7"]).server.drainTime == .seconds(7))
    }

    @Test("the example file's ids and secrets are refused")
    func exampleValues() {
        let complaints = Configurations.complaints(
            [
                "AMAZON_CLIENT_IDS": "amzn1.application-oa2-client.example", "AMAZON_CLIENT_SECRET": "amazon-secret",
                "APPLE_NATIVE_CLIENT_IDS": "org.ducks.app,com.example.app", "APPLE_TEAM_ID": "DUCKS12345",
                "GITHUB_CLIENT_ID": "Iv1.examplegithub01", "GITHUB_CLIENT_SECRET": "github-secret",
            ], base: Configurations.production)
        #expect(
            Set(complaints.map { String($0.prefix { $0 != ":" }) }) == [
                "AMAZON_CLIENT_IDS", "AMAZON_CLIENT_SECRET", "APPLE_NATIVE_CLIENT_IDS", "GITHUB_CLIENT_ID",
                "GITHUB_CLIENT_SECRET",
            ])
        #expect(!complaints.joined().contains("amazon-secret") && !complaints.joined().contains("github-secret"))
    }

    @Test("a placeholder is reported once")
    func placeholderOnce() {
        let changes = ["CLIENT_ID": "ducks", "CLIENT_SECRET": "generate-me"]
        let complaints = Configurations.complaints(changes.mapValues { $0 }, base: Configurations.production)
        #expect(complaints.map { $0.hasPrefix("CLIENT_SECRET: still reads") } == [true], "\(complaints)")
    }

    @Test(
        "development at a non-local address causes a warning",
        arguments: [("http://localhost:8080", 0), ("https://localhost", 0), ("https://login.ducks.org", 1)])
    func publicDevelopment(url: String, count: Int) throws {
        let warnings = try Configurations.read(["PUBLIC_URL": url, "ENVIRONMENT": "development"]).warnings
        #expect(warnings.count { $0.contains("ENVIRONMENT=production") } == count)
        #expect(try Configurations.read(base: Configurations.production).warnings == [])
    }

    @Test("Apple without a key causes a warning in production, and nothing in development")
    func appleWithoutKey() throws {
        let apple = ["APPLE_NATIVE_CLIENT_IDS": "org.ducks.app", "APPLE_TEAM_ID": "ABCDE12345"]
        let warnings = try Configurations.read(apple, base: Configurations.production).warnings
        #expect(warnings.count == 1 && warnings[0].contains("APPLE_KEY_ID"))
        #expect(try Configurations.read(apple).warnings.filter { $0.contains("APPLE_KEY_ID") } == [])
    }

    @Test("only a credential of the service manager may be readable by its group")
    func credentials() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        let inside = "\(folder)/credentials"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: "\(inside)/further", withIntermediateDirectories: true)
        let modes = ["key": 0o440, "open": 0o444, "shared": 0o460, "further/key": 0o440, "../key": 0o440]
        for (path, mode) in modes {
            #expect(FileManager.default.createFile(atPath: "\(inside)/\(path)", contents: Data()))
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: "\(inside)/\(path)")
        }
        try FileManager.default.createSymbolicLink(atPath: "\(inside)/link", withDestinationPath: "\(folder)/key")
        #expect(SecretFile.exposure(of: "\(inside)/key", credentials: inside) == nil)
        for path in ["open", "shared", "further/key", "../key", "link"] {
            #expect(SecretFile.exposure(of: "\(inside)/\(path)", credentials: inside) != nil, "\(path)")
        }
        #expect(SecretFile.exposure(of: "\(inside)/key", credentials: nil) != nil)
        #expect(SecretFile.exposure(of: "\(inside)/key", credentials: "credentials") != nil)
    }

    @Test(
        "A-12: a secrets file that others may read is warned about in development and refused in production",
        arguments: [(0o600, false), (0o400, false), (0o640, true), (0o644, true), (0o604, true), (0o666, true)])
    func exposedFile(mode: Int, isExposed: Bool) throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).env").path
        #expect(FileManager.default.createFile(atPath: path, contents: Data("PORT=1\n".utf8)))
        defer { try? FileManager.default.removeItem(atPath: path) }
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)

        let development = try GatewayConfiguration.load(environmentFile: path, environment: Configurations.needed)
        #expect(development.warnings.count == (isExposed ? 1 : 0))

        let refused: Bool
        do {
            _ = try GatewayConfiguration.load(environmentFile: path, environment: Configurations.production)
            refused = false
        } catch {
            refused = error.complaints.contains { $0.key == path }
        }
        #expect(refused == isExposed)
    }
}
