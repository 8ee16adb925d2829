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

    /// Runs a command with a connection.
    ///
    /// - Parameters:
    ///   - use: the settings that the command uses.
    ///   - subject: the kind of its object, for a refusal.
    ///   - name: the object, as it was typed.
    /// - Throws: `ValidationError` for an argument that a service refuses; ``ExitStatus`` after any other refusal.
    static func run(
        _ options: ConfigurationOptions, for use: SettingsUse = .all, about subject: CommandRefusal.Subject = .account,
        named name: String? = nil, _ body: (GatewayConfiguration, ConnectionPool) async throws -> Void
    ) async throws {
        let configuration = try options.load(for: use)
        let logger = Bootstrap.logging(LoggingConfiguration(level: .error, format: configuration.logging.format))
        var database = configuration.database.connection(applicationName: "login-gateway operator")
        database.maximumConnections = 1
        let pool = ConnectionPool(configuration: database, logger: logger)
        pool.start()
        do {
            try await body(configuration, pool)
            await pool.shutdown()
        } catch let refusal as AdminRefusal {
            let known = refusal == .notFound ? await subject.known(pool) : []
            await pool.shutdown()
            let sentence = CommandRefusal.sentence(refusal, subject, named: name, known: known)
            // The state of an object has no pointer.
            if case .invalidMember(let pointer, _, _) = refusal, !pointer.isEmpty { throw ValidationError(sentence) }
            Terminal.complain(sentence)
            throw ExitStatus.failure
        } catch let error as PostgresError {
            let schemaProblem = await schemaProblem(behind: error, pool)
            await pool.shutdown()
            try await end(error, schemaProblem, database)
        } catch {
            await pool.shutdown()
            guard let failure = error as? Failure else { throw error }
            Terminal.complain(failure.description)
            throw ExitStatus.failure
        }
    }

    private static func end(
        _ error: PostgresError, _ schemaProblem: (any Error)?, _ database: PostgresConfiguration
    ) async throws -> Never {
        if let schemaProblem {
            Terminal.complain(StartFailure.sentence(for: schemaProblem))
            throw ExitStatus.failure
        }
        Terminal.complain(await StartFailure.sentence(ofCommand: error, at: database))
        throw ExitStatus.of(error)
    }

    /// The schema error behind a missing object or a denied permission.
    private static func schemaProblem(behind error: PostgresError, _ pool: ConnectionPool) async -> (any Error)? {
        guard error.namesWhatIsMissing else { return nil }
        do {
            try await Schema.requireCurrent(pool)
            return nil
        } catch {
            return error
        }
    }

    /// Runs a command with the services of the admin API and console; the parameters are those of ``run``.
    static func serve(
        _ options: ConfigurationOptions, for use: SettingsUse = .all, about subject: CommandRefusal.Subject = .account,
        named name: String? = nil, _ body: (AdminServices, AdminActor) async throws -> Void
    ) async throws {
        try await run(options, for: use, about: subject, named: name) { configuration, pool in
            try await body(try services(configuration, pool, for: use), .commandLine(requestID: requestID))
        }
    }

    /// The services of the admin API and console.
    ///
    /// - Parameters:
    ///   - use: the settings that the caller uses; the providers exist only if it uses theirs.
    ///   - signingSince: the activation time of the newest signing key, if the caller needs its expiry.
    static func services(
        _ configuration: GatewayConfiguration, _ pool: ConnectionPool, for use: SettingsUse = .all,
        signingSince: Date? = nil
    ) throws -> AdminServices {
        let outbound = HTTPClient(
            configuration: OutboundConfiguration(insecureAllowLocal: configuration.providers.allowsLocalProviders))
        let providers = try OutboundServices.registry(
            configuration.providers, outbound, Logger(label: "gateway"), for: use)
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
}
