import Foundation
import TestSupport
import Testing

@Suite("A server without audiences")
struct AudienceConfigurationTests {
    /// Keys, the invalid lists of audiences, and the key that the error must name.
    private static let faults: [(key: String, value: String?)] = [
        ("APPLE_NATIVE_CLIENT_IDS", ","), ("APPLE_NATIVE_CLIENT_IDS", "com.example.app,,"),
        ("APPLE_NATIVE_CLIENT_IDS", "[\"com.example.app\"]"),
        ("AMAZON_CLIENT_IDS", " , "), ("MICROSOFT_CLIENT_IDS", ","), ("MICROSOFT_TENANT_IDS", ","),
        ("COGNITO_CLIENT_IDS", ","),
        ("OIDC_GOOGLE_CLIENT_IDS", nil), ("OIDC_GOOGLE_CLIENT_IDS", ""), ("OIDC_ACME_CLIENT_IDS", ","),
        ("OIDC_ACME_ISSUER", nil),
        ("OIDC_ACME_ALGORITHMS", "none"), ("OIDC_ACME_ALGORITHMS", "HS256"),
    ]

    @Test(
        "J-05: an audience list that is empty or no list keeps the server from starting, by the key's name",
        arguments: faults)
    func refuses(fault: (key: String, value: String?)) async throws {
        let folder = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var environment = Self.complete
        environment[fault.key] = fault.value
        let child = try ChildProcess("gateway", ["serve"], environment: environment, folder: folder)
        let code = await child.waitForExit(within: .seconds(60))
        if code == nil { await child.kill9() }
        #expect(code == 78)
        #expect(child.errors.contains(fault.key), "\(child.errors)")
        #expect(!child.errors.contains("the-secret"), "a secret was shown")
    }

    /// Enough for a start, except for a database.
    private static let complete = [
        "DATABASE_URL": "postgres://gateway:the-secret-password@127.0.0.1:1/gateway",
        "MASTER_KEYS": "k1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8",
        "APPLE_NATIVE_CLIENT_IDS": "com.example.app", "APPLE_TEAM_ID": "TEAM123456",
        "AMAZON_CLIENT_IDS": "amzn1.application-oa2-client.example", "AMAZON_ACCOUNT_NAME": "example",
        "MICROSOFT_CLIENT_IDS": "11111111-2222-3333-4444-555555555555",
        "MICROSOFT_TENANT_IDS": "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee",
        "COGNITO_CLIENT_IDS": "client", "COGNITO_REGION": "us-east-1", "COGNITO_USER_POOL_ID": "us-east-1_Example01",
        "OIDC_PROVIDERS": "google,acme", "OIDC_GOOGLE_ISSUER": "https://accounts.google.com",
        "OIDC_GOOGLE_CLIENT_IDS": "client",
        "OIDC_ACME_ISSUER": "https://id.acme.example", "OIDC_ACME_CLIENT_IDS": "client",
    ]

    @Test("the same configuration with audiences fails only at its database")
    func complete() async throws {
        let folder = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let child = try ChildProcess(
            "gateway", ["serve"], environment: Self.complete.merging(["PORT": "0", "OPS_PORT": "0"]) { $1 },
            folder: folder)
        #expect(await child.waitForExit(within: .seconds(60)) == 69)
    }
}
