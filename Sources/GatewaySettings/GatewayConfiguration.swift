package import Configuration
package import Cryptography
package import HTTPServer
import Messages
import Providers
package import Settings
package import Telemetry
import Vocabulary

/// The whole configuration, read once at start.
package struct GatewayConfiguration: Sendable {
    package let server: ServerConfiguration
    package let operations: OperationsConfiguration
    package let database: DatabaseConfiguration
    /// `MASTER_KEYS`: the keys that seal secrets in the database; the first one seals, all of them open.
    ///
    /// Secret, needed. None where the configuration was read for a use without them.
    package let masterKeys: MasterKeys
    package let firstClient: FirstClientConfiguration?
    package let tokens: TokenConfiguration
    package let accounts: AccountConfiguration
    package let operators: OperatorConfiguration
    package let claims: ClaimsConfiguration
    /// Nil without custom challenges.
    package let challenges: ChallengeConfiguration?
    /// Nil without bot checks.
    package let botChecks: BotCheckConfiguration?
    package let agents: AgentConfiguration
    package let passwords: PasswordConfiguration
    package let passkeys: PasskeyConfiguration
    /// `LINKING_POLICY`: the rule for an address that both the account and the provider have proved.
    ///
    /// Choice, default `both_verified`.
    let linkingPolicy: LinkingPolicy.BothVerified
    package let delivery: DeliveryConfiguration
    package let throttles: ThrottleConfiguration
    package let providers: ProviderSettings
    package let audit: AuditConfiguration
    package let logging: LoggingConfiguration
    package let traces: TracesConfiguration
    /// Warnings at start about valid but risky settings.
    package let warnings: [String]
    /// The `.env` file, which a command needs by name where it is another one.
    let environmentFile: String?
    /// Every key that was read, for `check-configuration`; secrets as "set".
    let readings: [SettingsReader.Reading]
}

extension GatewayConfiguration {
    static let secretKeys: [ConfigurationKey] = [.masterKeys]
    static let linkingKeys: [ConfigurationKey] = [.linkingPolicy]

    /// Reads every setting and reports all complaints together.
    ///
    /// - Parameters:
    ///   - reader: the source of the values.
    ///   - use: the settings whose complaints count; others may have placeholders.
    ///   - folder: the folder of default paths; empty for the working folder.
    ///   - earlier: complaints about the sources themselves, such as a malformed `.env`.
    ///   - names: the keys of the `.env` file, for finding misspelt ones.
    ///   - variables: the variables of the process environment, including those of other programs.
    ///   - secretFiles: files with secrets, in addition to those that the configuration names: the `.env` file first.
    package init(
        reader: ConfigReader, for use: SettingsUse = .all, folder: String = "",
        earlier: [ConfigurationError.Complaint] = [], names: [String] = [], variables: [String] = [],
        secretFiles: [String] = []
    ) throws(ConfigurationError) {
        var settings = SettingsReader(reader, folder: folder)
        server = ServerConfiguration(&settings)
        operations = OperationsConfiguration(&settings)
        database = DatabaseConfiguration(&settings)
        let keys = Self.readMasterKeys(&settings)
        firstClient = FirstClientConfiguration(&settings)
        tokens = TokenConfiguration(&settings)
        accounts = AccountConfiguration(&settings)
        operators = OperatorConfiguration(&settings)
        passkeys = PasskeyConfiguration(
            &settings, publicURL: server.publicURL,
            serviceName: Self.serviceName(firstClient, publicURL: server.publicURL))
        linkingPolicy = settings.choice(.linkingPolicy, else: LinkingPolicy.BothVerified.link)
        throttles = ThrottleConfiguration(&settings)
        providers = ProviderSettings(&settings, in: server.environment)
        delivery = DeliveryConfiguration(
            &settings, in: server.environment, local: providers.allowsLocalProviders)
        let local = providers.allowsLocalProviders && server.environment != .production
        passwords = PasswordConfiguration(&settings, publicURL: server.publicURL, local: local)
        claims = ClaimsConfiguration(&settings, local: local)
        challenges = ChallengeConfiguration(&settings, local: local)
        botChecks = BotCheckConfiguration(&settings, local: local)
        agents = AgentConfiguration(&settings, local: local)
        if firstClient?.hasCustomChallenge == true, challenges == nil {
            settings.complain(.clientCustomChallenge, "needs CUSTOM_CHALLENGE_URL")
        }
        if firstClient?.id == operators.consoleClient {
            settings.complain(.consoleClientID, "is CLIENT_ID's too: the console needs a client of its own")
        }
        audit = AuditConfiguration(&settings)
        logging = LoggingConfiguration(&settings)
        traces = TracesConfiguration(&settings)
        Self.checkProviders(&settings, on: providers.ids, firstClient, passwords)
        Self.checkPorts(&settings, server, operations)
        if server.environment == .production { ProductionRules.check(&settings) }

        let listed = providers.ids
        let unknown =
            UnknownKeys.complaints(about: names, providers: listed)
            + UnknownKeys.slips(among: variables, providers: listed)
        let exposed = Self.exposures(secretFiles, settings.readings.filter { use.includes($0.key.name) })
        let strict = server.environment == .production
        let complaints = use.complaints(settings.complaints, of: earlier, unknown, strict ? exposed : [])
        guard complaints.isEmpty else { throw ConfigurationError(complaints: complaints) }
        masterKeys = keys ?? .none
        warnings =
            exposed.map(\.text) + Self.developmentWarnings(server) + Self.textWarnings(server, delivery)
            + providers.warnings + (strict ? providers.configured.flatMap(\.productionWarnings) : [])
        readings = settings.readings
        environmentFile = secretFiles.first
    }

    private static func readMasterKeys(_ settings: inout SettingsReader) -> MasterKeys? {
        // Fresh keys open nothing that an existing deployment sealed.
        let text = settings.required(
            .masterKeys,
            hint: """
                such as k1:KEY, or name the file that has it by --env-file; `gateway init` makes one for a new database
                """)
        guard !text.isEmpty else { return nil }
        do {
            return try MasterKeys(text)
        } catch {
            settings.complain(.masterKeys, "must be id:key pairs with commas between, each key 32 bytes in base64url")
            return nil
        }
    }

    /// Refuses a disabled or misspelt provider: the client's row would keep it without effect.
    private static func checkProviders(
        _ settings: inout SettingsReader, on ids: [String], _ client: FirstClientConfiguration?,
        _ passwords: PasswordConfiguration
    ) {
        let own = FirstFactor.offered(sendsTexts: true, hasPasskeys: true)
        for id in client?.providers ?? [] where !ids.contains(id) && !own.contains(id) {
            let known = (ids + own).joined(separator: ", ")
            settings.complain(.clientProviders, "\(id) is no provider that is on; there are: \(known)")
        }
        for id in (client?.acceptedAudiences.keys.sorted() ?? []) where !ids.contains(id) {
            settings.complain(
                .clientAcceptedAudiences, "\(id) is no provider that is on; there are: \(ids.joined(separator: ", "))")
        }
        for id in passwords.migrateFrom where !ids.contains(id) {
            guard let key = ProviderList.takesPasswords[id]?.keys.first else { continue }
            settings.complain(.migratePasswordsFrom, "\(id) is off: set \(key.name), or leave it out")
        }
    }

    /// Refuses two doors on one port; a wildcard address conflicts with every other address.
    private static func checkPorts(
        _ settings: inout SettingsReader, _ server: ServerConfiguration, _ operations: OperationsConfiguration
    ) {
        let hosts = [server.host, operations.host]
        let meet = hosts[0] == hosts[1] || hosts.contains { ["0.0.0.0", "::"].contains($0) }
        guard meet, server.port != 0, operations.port == server.port else { return }
        settings.complain(.operationsPort, "is PORT's too (\(server.port)): give each door a port of its own")
    }

    /// Warns about development settings with a public address.
    private static func developmentWarnings(_ server: ServerConfiguration) -> [String] {
        guard server.environment == .development, EndpointURL(server.publicURL)?.isLoopback == false else { return [] }
        return [
            "ENVIRONMENT is development, PUBLIC_URL \(server.publicURL): a public service needs ENVIRONMENT=production"
        ]
    }

    /// Warns about text messages to every country: owners of foreign numbers can earn from messages that they cause.
    private static func textWarnings(_ server: ServerConfiguration, _ delivery: DeliveryConfiguration) -> [String] {
        guard server.environment == .production, delivery.sms != .none, delivery.smsCountries == .all else { return [] }
        return ["SMS_COUNTRIES is not set: text messages go to every country, also where one costs a hundredfold"]
    }

    private static func exposures(
        _ files: [String], _ readings: [SettingsReader.Reading]
    ) -> [ConfigurationError.Complaint] {
        let named = Set(readings.filter { $0.isSet && $0.key.namesSecretFile }.map(\.shown)).sorted()
        return (files + named).compactMap { path in
            SecretFile.exposure(of: path).map { .init(key: path, text: $0) }
        }
    }
}

extension ConfigurationKey {
    package static let masterKeys = ConfigurationKey(
        "MASTER_KEYS", .secrets, secret: true, example: .set("generate-me"),
        "`id:key` pairs separated by commas; each key is 32 random bytes in base64url. The first key seals, all keys open. Required."
    )
    static let linkingPolicy = ConfigurationKey(
        "LINKING_POLICY", .linking, .choice, default: "both_verified",
        "If both the provider and the gateway have proved an address: `both_verified` links the identity, `ask` asks the user first."
    )
}
