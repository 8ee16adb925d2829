import Cryptography
import Foundation
import Providers
import Settings
import TestSupport

/// The shared parts of an installation's gateways: a fresh migrated database, the master keys, a simulator and a
/// folder.
///
/// ``start(_:)`` may be called several times: the gateways then run in parallel on the one database.
final class Deployment: Sendable {
    let database: TestDatabase
    let simulator: SimulatorProcess
    /// Contains the mails, the Apple key, and the gateways' files.
    let folder: String
    private let ownsSimulator: Bool
    private let masterKeys: String

    /// The secret of the client `app`.
    static let clientSecret = "the-secret-of-the-app"
    /// The browser origin that the client `app` registered.
    static let origin = "https://app.example.org"

    /// - Parameter ownsSimulator: for tests that make providers fail or count their requests.
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
    /// - Parameter changes: keys that differ from ``environment``; nil removes one.
    func start(_ changes: [String: String?] = [:]) async throws -> GatewayProcess {
        var values = environment
        for (key, value) in changes { values[key] = value }
        return try await GatewayProcess.start(values, deployment: self)
    }

    /// Removes the database and the folder; the gateways must have stopped.
    func remove() async {
        await database.drop()
        if ownsSimulator { await simulator.stop() } else { await SharedSimulator.shared.release() }
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Every provider is on; throttles have no effect; hashing is as cheap as allowed, with a long queue.
    ///
    /// A suite signs up all its users at once, on a busy machine. Therefore the shared simulator has the longest
    /// timeout of any provider: 20 seconds were too short with 24 busy processes.
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
        for name in [
            "SMS_ADDRESS", "SMS_CLIENT", "WRONG_ADDRESS", "LINK_ADDRESS", "MAIL_ADDRESS", "MAIL_CLIENT", "REFRESH",
        ] {
            values["THROTTLE_\(name)_PER_HOUR"] = "1000000"
        }
        for name in ["ACCOUNT_BURST", "ACCOUNT_PER_HOUR", "ADDRESS_BURST", "ADDRESS_PER_MINUTE", "CLIENT_PER_MINUTE"] {
            values["THROTTLE_\(name)"] = name.hasSuffix("BURST") ? "1000000" : "60000"
        }
        return values.merging(providers) { $1 }
    }

    /// The providers of `.env.example`, which the simulator plays.
    private var providers: [String: String] {
        var values: [String: String] = [:]
        for key in ProviderList.all.flatMap(\.keys) {
            values[key.name] = value(key)
            for id in key.examplesByID.keys { values[key.named(for: id).name] = value(key.named(for: id)) }
        }
        return values.merging([
            "APPLE_PRIVATE_KEY_FILE": "\(folder)/apple.p8", "COGNITO_TRUST_EMAIL": "true",
            "OIDC_ACME_EMAIL_DOMAINS": "acme.example",
        ]) { $1 }
    }

    private func value(_ key: ConfigurationKey) -> String? {
        switch key.example {
        case .set(let value) where key.name.hasSuffix("_ENDPOINT"):
            value.split(separator: "/").last.map { simulator.endpoint(String($0)) }
        case .set(SettingsReader.placeholder): nil
        case .set(let value), .madeUp(let value):
            key.name.hasPrefix("OIDC_") && key.name.hasSuffix("_NAME") ? nil : value
        case .standard, .form: nil
        }
    }
}
