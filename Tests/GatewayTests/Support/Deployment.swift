import Cryptography
import Foundation
import JSON
import Postgres
import TestSupport

/// What gateways of one installation share: a fresh migrated database, the master keys, a simulator and a folder.
///
/// ``start(_:)`` may be called several times: the gateways then run side by side on the one database.
final class Deployment: Sendable {
    let database: TestDatabase
    let simulator: SimulatorProcess
    /// Holds the mails, the Apple key, and what the gateways wrote.
    let folder: String
    private let ownsSimulator: Bool
    private let masterKeys: String

    /// The secret of the client `app`.
    static let clientSecret = "the-secret-of-the-app"
    /// The browser origin that the client `app` registered.
    static let origin = "https://app.example.org"

    /// - Parameter ownsSimulator: for tests that make providers misbehave or count their requests.
    static func make(ownsSimulator: Bool = false) async throws -> Deployment {
        let simulator = ownsSimulator ? try await SimulatorProcess.start() : try await SharedSimulator.shared.acquire()
        let folder = try makeTemporaryFolder()
        let key = try await simulator.applePrivateKey()
        let file = FileManager.default.createFile(
            atPath: "\(folder)/apple.p8", contents: Data(key.utf8), attributes: [.posixPermissions: 0o600])
        guard file else { throw HarnessError("\(folder) can't be written to.") }
        return Deployment(
            database: try await TestDatabase.make(), simulator: simulator, folder: folder, ownsSimulator: ownsSimulator)
    }

    private init(database: TestDatabase, simulator: SimulatorProcess, folder: String, ownsSimulator: Bool) {
        (self.database, self.simulator, self.folder, self.ownsSimulator) = (database, simulator, folder, ownsSimulator)
        masterKeys = "k1:" + Base64URL.encode(RandomBytes.system(32))
    }

    /// Starts a gateway and waits until it is ready.
    ///
    /// - Parameter changes: keys that differ from ``environment``; nil takes one away.
    func start(_ changes: [String: String?] = [:]) async throws -> GatewayProcess {
        var values = environment
        for (key, value) in changes { values[key] = value }
        return try await GatewayProcess.start(values, deployment: self)
    }

    /// Removes the database and the folder; gateways must have been stopped.
    func remove() async {
        await database.drop()
        if ownsSimulator { await simulator.stop() } else { await SharedSimulator.shared.release() }
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Every provider is on; throttles are out of the way; hashing is as cheap as allowed, and may wait in a long queue:
    /// a suite signs up all its people at once, on a machine that does much besides.
    ///
    /// For the same reason the shared simulator has as long as any provider may be given: 20 seconds were too few beside
    /// 24 busy processes.
    var environment: [String: String] {
        var values = [
            "PORT": "0", "OPS_PORT": "0", "DATABASE_URL": database.url + " connect_timeout=10",
            "DATABASE_CONNECTIONS": "6", "MASTER_KEYS": masterKeys,
            "REQUEST_TIMEOUT_SECONDS": "120", "LOG_FORMAT": "json", "MAIL_DIRECTORY": "\(folder)/mail",
            "CLIENT_ID": "app", "CLIENT_SECRET": Self.clientSecret, "CLIENT_ORIGINS": Self.origin,
            "HASH_MEMORY_KIB": "7168", "HASH_ITERATIONS": "1", "HASH_QUEUE": "8192",
            "AUDIT_REFUSALS_PER_MINUTE": "1000000",
            "INSECURE_ALLOW_LOCAL_PROVIDERS": "true",
            "PROVIDER_TIMEOUT_SECONDS": "60", "OPERATOR_READS_PER_MINUTE": "60000",
        ]
        for name in ["SMS_ADDRESS", "SMS_CLIENT", "WRONG_ADDRESS", "LINK_ADDRESS", "MAIL_ADDRESS", "MAIL_CLIENT"] {
            values["THROTTLE_\(name)_PER_HOUR"] = "1000000"
        }
        for name in ["ACCOUNT_BURST", "ACCOUNT_PER_HOUR", "ADDRESS_BURST", "ADDRESS_PER_MINUTE", "CLIENT_PER_MINUTE"] {
            values["THROTTLE_\(name)"] = name.hasSuffix("BURST") ? "1000000" : "60000"
        }
        return values.merging(providers) { $1 }
    }

    private var providers: [String: String] {
        var values = [
            "APPLE_NATIVE_CLIENT_IDS": "com.example.app", "APPLE_WEB_CLIENT_IDS": "com.example.web",
            "APPLE_TEAM_ID": "TEAM123456",
            "APPLE_KEY_ID": "DEVKEY1234", "APPLE_PRIVATE_KEY_FILE": "\(folder)/apple.p8",
            "AMAZON_CLIENT_IDS": "amzn1.application-oa2-client.example", "AMAZON_APP_ID": "amzn1.application.example",
            "AMAZON_CLIENT_SECRET": "amazon-secret", "AMAZON_ACCOUNT_NAME": "example",
            "GITHUB_CLIENT_ID": "Iv1.examplegithub01", "GITHUB_CLIENT_SECRET": "github-secret",
            "MICROSOFT_CLIENT_SECRET": "microsoft-secret",
            "MICROSOFT_CLIENT_IDS": "11111111-2222-3333-4444-555555555555",
            "MICROSOFT_TENANT_IDS": "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee",
            "MICROSOFT_EXTERNAL_TENANT_IDS": "bbbbbbbb-cccc-dddd-eeee-ffffffffffff",
            "MICROSOFT_NATIVE_CLIENT_ID": "11111111-2222-3333-4444-555555555555",
            "MICROSOFT_NATIVE_AUTHORITY": "https://example.ciamlogin.com/bbbbbbbb-cccc-dddd-eeee-ffffffffffff",
            "COGNITO_CLIENT_IDS": "cognitoclient0000000000001", "COGNITO_REGION": "us-east-1",
            "COGNITO_USER_POOL_ID": "us-east-1_Example01", "COGNITO_TRUST_EMAIL": "true",
            "OIDC_PROVIDERS": "google,acme", "OIDC_GOOGLE_ISSUER": "https://accounts.google.com",
            "OIDC_GOOGLE_CLIENT_IDS": "google-client.apps.googleusercontent.com",
            "OIDC_GOOGLE_CLIENT_SECRET": "google-secret",
            "OIDC_ACME_ISSUER": "https://id.acme.example", "OIDC_ACME_CLIENT_IDS": "acme-client",
            "OIDC_ACME_CLIENT_SECRET": "acme-secret", "OIDC_ACME_EMAIL_DOMAINS": "acme.example",
        ]
        for provider in ["apple", "amazon", "microsoft", "cognito", "github"] {
            values["\(provider.uppercased())_ENDPOINT"] = simulator.endpoint(provider)
        }
        for provider in ["google", "acme"] {
            values["OIDC_\(provider.uppercased())_ENDPOINT"] = simulator.endpoint(provider)
        }
        return values
    }
}
