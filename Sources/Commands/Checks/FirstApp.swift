import Clients
import GatewaySettings
import Logging
import Postgres

/// The app that the first start creates from the settings.
enum FirstApp {
    /// The settings of the app that have no effect, because the database has other values.
    ///
    /// - Throws: an error of the database.
    static func staleSettings(
        _ configuration: GatewayConfiguration, _ pool: ConnectionPool
    ) async throws -> [StaleSetting] {
        guard let id = configuration.firstClient?.id else { return [] }
        let registry = ClientRegistry(
            pool: pool, keys: configuration.masterKeys, logger: silent)
        try await registry.reload()
        return configuration.staleSettings(beside: registry.client(id))
    }

    /// The settings without effect as lines for standard error, or a line with the reason why nothing was compared.
    static func remarks(_ configuration: GatewayConfiguration) async -> [String] {
        guard configuration.firstClient != nil else { return [] }
        var database = configuration.database.connection(applicationName: "login-gateway check-configuration")
        database.maximumConnections = 1
        let pool = ConnectionPool(configuration: database, logger: silent)
        pool.start()
        let remarks: [String]
        do {
            remarks = try await staleSettings(configuration, pool).map { stale in
                "warning: \(stale.fault). \(configuration.remedy(for: [stale]))"
            }
        } catch {
            let reason = (error as? PostgresError)?.diagnostic ?? "\(error)"
            remarks = ["note: CLIENT_* was not compared with the app in the database: \(reason)"]
        }
        await pool.shutdown()
        return remarks
    }

    /// A fault of the database becomes one line, and no log.
    private static let silent = Logger(label: "gateway") { _ in SwiftLogNoOpLogHandler() }
}
