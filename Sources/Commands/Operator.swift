import Accounts
import ArgumentParser
import Clients
import Foundation
import GatewaySettings
import HTTPServer
import Logging
import Messages
import OperatorAccess
import Operators
import Outbound
import Postgres
import Providers
import Telemetry
import Vocabulary

/// A sentence for standard error, and exit status 1.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// The environment of an operator command: configuration and connection, with clear errors if one is missing.
enum Operator {
    /// Identifies this process in the audit log.
    static let requestID = "cli-\(ProcessInfo.processInfo.processIdentifier)"

    static func run(
        _ options: ConfigurationOptions, about subject: CommandRefusal.Subject = .account,
        _ body: (GatewayConfiguration, ConnectionPool) async throws -> Void
    ) async throws {
        let configuration = try options.load()
        let logger = Bootstrap.logging(LoggingConfiguration(level: .error, format: configuration.logging.format))
        var database = configuration.database.connection(applicationName: "login-gateway operator")
        database.maximumConnections = 1
        let pool = ConnectionPool(configuration: database, logger: logger)
        pool.start()
        do {
            try await body(configuration, pool)
            await pool.shutdown()
        } catch {
            let schemaProblem = await schemaProblem(behind: error, pool)
            await pool.shutdown()
            if let schemaProblem {
                Terminal.complain(StartFailure.sentence(for: schemaProblem))
                throw ExitStatus.failure
            }
            if let error = error as? PostgresError, error.isWithoutConnection,
                let refusal = await ConnectionRefusal.found(database)
            {
                Terminal.complain(StartFailure.sentence(for: refusal))
                throw ExitStatus.of(error)
            }
            throw exit(error, subject)
        }
    }

    /// The schema error behind a missing object or a denied permission.
    private static func schemaProblem(behind error: any Error, _ pool: ConnectionPool) async -> (any Error)? {
        guard let error = error as? PostgresError, error.namesWhatIsMissing else { return nil }
        do {
            try await Schema.requireCurrent(pool)
            return nil
        } catch {
            return error
        }
    }

    /// Runs a command with the services of the admin API and console.
    static func serve(
        _ options: ConfigurationOptions, about subject: CommandRefusal.Subject = .account,
        _ body: (AdminServices, AdminActor) async throws -> Void
    ) async throws {
        try await run(options, about: subject) { configuration, pool in
            try await body(try services(configuration, pool), .commandLine(requestID: requestID))
        }
    }

    /// The services of the admin API and console.
    ///
    /// - Parameter signingSince: the activation time of the newest signing key, if the caller needs its expiry.
    static func services(
        _ configuration: GatewayConfiguration, _ pool: ConnectionPool, signingSince: Date? = nil
    ) throws -> AdminServices {
        let outbound = HTTPClient(
            configuration: OutboundConfiguration(insecureAllowLocal: configuration.providers.allowsLocalProviders))
        let providers = try OutboundServices.registry(configuration.providers, outbound, Logger(label: "gateway"))
        let signInMethods = FirstFactor.offered(
            sendsTexts: OutboundServices.sms(configuration, outbound) != nil,
            hasPasskeys: configuration.passkeys.relyingParty != nil)
        let certificate = configuration.server.tls.flatMap { try? CertificatePair($0) }
        let credentials = ExpiringCredentials(
            configuration, certificateEnd: { certificate?.expires }, signingSince: { signingSince })
        return AdminServices(
            configuration, desk: AdminDesk(pool: pool), providers: providers,
            signInMethods: providers.all.map(\.id.rawValue) + signInMethods, credentials: credentials,
            messages: configuration.messages(texts: try .read(), outbox: nil),
            sectors: SectorDocuments(transport: outbound),
            creation: AccountCreation(
                desk: AdminDesk(pool: pool),
                outbox: .withoutSenders(
                    pool: pool, keys: configuration.masterKeys, logger: Logger(label: "gateway"))))
    }

    private static func exit(_ error: any Error, _ subject: CommandRefusal.Subject) -> any Error {
        switch error {
        case let failure as Failure:
            Terminal.complain(failure.description)
            return ExitStatus.failure
        case let refusal as AdminRefusal:
            Terminal.complain(CommandRefusal.sentence(refusal, subject))
            return ExitStatus.failure
        case let error as PostgresError:
            Terminal.complain(error.diagnostic)
            return ExitStatus.of(error)
        default: return error
        }
    }
}
