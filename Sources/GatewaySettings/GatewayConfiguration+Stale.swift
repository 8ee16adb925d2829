package import Clients
import Cryptography
import HTTPServer
import Settings
import Vocabulary

extension GatewayConfiguration {
    /// The settings of the first app that differ from its record; none without a record.
    ///
    /// An unset setting never differs: the administrator did not choose its default.
    ///
    /// - Parameter held: the app as the registry holds it.
    package func staleSettings(beside held: Client?) -> [StaleSetting] {
        guard let own = client, let held else { return [] }
        let values = Self.values(own, held).compactMap { keys, option, value -> StaleSetting? in
            let names = keys.map(\.name).filter(isSet)
            guard !names.isEmpty, value(own) != value(held) else { return nil }
            return StaleSetting(names.joined(separator: ", "), held: value(held), option: option, value(own))
        }
        let secret = firstClient?.secret.map { held.authenticates(secret: $0.revealedText) } ?? true
        return values + (secret ? [] : [.secret])
    }

    /// What the administrator can do: one command for all that a command can store, or the console.
    package func remedy(for stale: [StaleSetting]) -> String {
        let id = firstClient?.id ?? ""
        let file = environmentFile ?? Self.standardFile
        let place = file == Self.standardFile ? "" : " --env-file \(StaleSetting.shellWord(file))"
        let options = stale.flatMap(\.options).joined(separator: " ")
        let change = options.isEmpty ? [] : ["gateway clients change \(id) \(options)\(place)"]
        let replace =
            stale.contains(.secret)
            ? ["gateway clients replace-secret \(id)\(place) (and put the new secret into CLIENT_SECRET)"] : []
        let commands = (change + replace).joined(separator: ", and ")
        return "Run: \(commands). Or change the app on \(server.publicURL)/admin/clients/\(id), or unset the setting."
    }

    private func isSet(_ name: String) -> Bool { readings.contains { $0.key.name == name && $0.isSet } }

    private typealias StoredValue = (keys: [ConfigurationKey], option: String, value: (Client) -> [String])

    /// What the first start stores, with the option that changes it later.
    private static func values(_ own: Client, _ held: Client) -> [StoredValue] {
        var values: [StoredValue] = [
            ([.clientName], "--name", { [$0.name] }),
            ([.clientType], "--type", { [$0.kind.rawValue] }),
            ([.clientOrigins], "--origin", { $0.origins.sorted() }),
            ([.clientRedirectURIs], "--redirect-uri", { $0.redirectURIs.map(\.text).sorted() }),
            ([.clientProviders], "--provider", { $0.providers }),
            ([.clientAcceptedAudiences], "--accepted-audience", Self.audiences),
            ([.clientSecondFactor], "--second-factor", { [$0.demandsSecondFactor ? "required" : "optional"] }),
            ([.clientAttributes], "--attribute", { $0.attributes.map(\.text) }),
            ([.clientGuests], "--guests", { ["\($0.allowsGuests)"] }),
            ([.clientCustomChallenge], "--custom-challenge", { ["\($0.hasCustomChallenge)"] }),
            ([.linkingPolicy], "--linking-policy", { [$0.linkingPolicy.bothVerified.rawValue] }),
            ([.accessTokenSeconds], "--access-token-seconds", { ["\($0.accessTokenLife)"] }),
        ]
        if own.claims != nil { values.append((claimsKeys, "--claims", { $0.claims.map { [$0.text] } ?? [] })) }
        // For an app for administration the registry has lower limits than the record, and no sign-up.
        guard !held.audiences.contains(.administration) else { return values }
        return values + [
            ([.clientSignUpNames], "--sign-up-name", { $0.signUpNames.map(\.rawValue) }),
            ([.refreshIdleDays], "--refresh-idle-seconds", { ["\($0.refreshIdle)"] }),
            ([.refreshMaximumDays], "--refresh-max-seconds", { ["\($0.refreshMaximum)"] }),
        ]
    }

    private static let claimsKeys: [ConfigurationKey] = [
        .claimsURL, .claimsAudience, .claimsApplication, .claimsAllowed, .claimsFailure, .claimsRefresh,
        .claimsAttributes,
    ]

    private static func audiences(_ client: Client) -> [String] {
        client.acceptedAudiences.flatMap { provider, all in all.map { "\(provider):\($0)" } }.sorted()
    }
}
