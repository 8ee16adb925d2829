import Foundation
import GatewaySettings
import HTTPServer
import Logging
import Messages
import Operators
import Outbound
import Postgres
import Providers
import Telemetry

/// The checks of one configuration, with the clients that they call.
struct DeploymentDiagnosis {
    let configuration: GatewayConfiguration
    private let pool: ConnectionPool
    private let outbound: HTTPClient
    /// For the gateway's own addresses, which may be private.
    private let ownAddresses = HTTPClient(configuration: OutboundConfiguration(insecureAllowLocal: true))
    let providers: ProviderRegistry

    /// - Throws: `ConfigurationError` for a provider that can't be built.
    init(_ configuration: GatewayConfiguration) throws {
        self.configuration = configuration
        let logger = Bootstrap.logging(LoggingConfiguration(level: .critical, format: configuration.logging.format))
        var database = configuration.database.connection(applicationName: "login-gateway doctor")
        database.maximumConnections = 1
        pool = ConnectionPool(configuration: database, logger: logger)
        outbound = HTTPClient(
            configuration: OutboundConfiguration(insecureAllowLocal: configuration.providers.allowsLocalProviders))
        providers = try OutboundServices.registry(configuration.providers, outbound, logger)
    }

    /// Starts the connections for `body`, and ends them.
    func with<Value>(_ body: () async throws -> Value) async throws -> Value {
        pool.start()
        do {
            let value = try await body()
            await end()
            return value
        } catch {
            await end()
            throw error
        }
    }

    private func end() async {
        await pool.shutdown()
        await outbound.shutdown()
        await ownAddresses.shutdown()
    }

    /// For a configuration that no server has used yet.
    func checksBeforeStart(mailTo recipient: MailAddress?) throws -> [DeploymentCheck] {
        let database = DatabaseChecks(configuration: configuration, pool: pool)
        return [
            NameCheck.check(configuration.server.publicURL),
            PublicAddressCheck.beforeStart(configuration.server.publicURL, ownAddresses),
            database.connection, database.schema(isNew: true), database.clock, try mail(to: recipient),
        ] + ProviderChecks.all(providers)
    }

    /// For a running gateway.
    func checks(mailTo recipient: MailAddress?) throws -> [DeploymentCheck] {
        let (server, database) = (configuration.server, DatabaseChecks(configuration: configuration, pool: pool))
        return [
            NameCheck.check(server.publicURL),
            PublicAddressCheck.running(server.publicURL, isSecure: server.isPubliclySecure, ownAddresses),
            HealthEndpointCheck.check(configuration.operations, ownAddresses),
            database.connection, database.schema(isNew: false), database.clock, database.signingKeys(ownAddresses),
            database.auditLog, database.firstApp, database.offers(of: providers.all.map(\.id.rawValue)),
            try mail(to: recipient),
        ] + ProviderChecks.all(providers) + [try credentials()]
    }

    private func mail(to recipient: MailAddress?) throws -> DeploymentCheck {
        MailCheck.check(try OutboundServices.delivery(configuration, outbound), to: recipient)
    }

    private func credentials() throws -> DeploymentCheck {
        let certificate = configuration.server.tls.flatMap { try? CertificatePair($0) }
        let credentials = ExpiringCredentials(
            configuration, certificateEnd: { certificate?.expires }, signingSince: { nil })
        return ProviderChecks.credentials(credentials, at: Date())
    }
}

extension DeploymentDiagnosis {
    /// Runs checks of a configuration.
    ///
    /// A provider that can't be built is a configuration error: exit status 78.
    static func checked(
        _ configuration: GatewayConfiguration, _ body: (DeploymentDiagnosis) async throws -> CheckReport
    ) async throws -> CheckReport {
        let deployment: DeploymentDiagnosis
        do {
            deployment = try DeploymentDiagnosis(configuration)
        } catch {
            Terminal.complain(StartFailure.sentence(for: error))
            throw StartFailure.status(of: error)
        }
        return try await deployment.with { try await body(deployment) }
    }
}
