package import Foundation
package import OperatorAccess
import Postgres
package import Providers

/// The configured providers and their state.
package struct ProviderDesk: Sendable {
    private let desk: AdminDesk
    private let providers: ProviderRegistry
    /// The expiring credentials of this server.
    package let credentials: ExpiringCredentials

    package init(desk: AdminDesk, providers: ProviderRegistry, credentials: ExpiringCredentials) {
        (self.desk, self.providers, self.credentials) = (desk, providers, credentials)
    }

    /// One provider: this server's observations since its start, and the counts of a day on all servers.
    package struct Standing: Sendable, Equatable {
        package let id: String
        package let name: String
        /// Nil without an observation, as for the times below.
        package let lastSuccess: Date?
        package let lastFailure: Date?
        /// A stable word.
        package let lastFailureReason: String?
        package let keySetArrived: Date?
        package let signIns: Int
        package let refusals: Int
        package let identities: Int
        package let ways: Ways

        /// Whether the last result was a success, or none yet.
        package var isHealthy: Bool {
            guard let lastFailure else { return true }
            return lastSuccess.map { $0 >= lastFailure } ?? false
        }
    }

    /// The forms of sign-in that a provider has in this configuration.
    package struct Ways: Sendable, Equatable {
        /// The path of the callback to register there; nil for a provider without redirects.
        package let callbackPath: String?
        /// Whether the settings suffice for a redirect.
        package let isInBrowser: Bool
        /// Whether apps post its tokens or codes.
        package let takesTokens: Bool
        /// Whether it checks a name and a password.
        package let takesPasswords: Bool
        /// The documentation of its settings, from the root of the repository.
        package let page: String

        init(_ provider: any IdentityProvider) {
            let browser = provider as? any RedirectSignIn
            callbackPath = browser?.callbackPath
            isInBrowser = browser?.canRedirect ?? false
            takesTokens = provider is any TokenSignIn
            takesPasswords = provider is any StepwiseSignIn
            let kinds = ProviderList.all
            page = (kinds.first { $0.id == provider.id } ?? kinds.first { $0.id == nil })?.page ?? ""
        }
    }

    /// The callbacks of the providers with redirect sign-in, in the order of the sign-in page.
    package var callbacks: [(provider: String, path: String)] {
        providers.all.compactMap { $0 as? any RedirectSignIn }.map { ($0.id.rawValue, $0.callbackPath) }
    }

    /// A kind of provider that is not set up, and the setting that enables it.
    package struct Absent: Sendable, Equatable {
        package let name: String
        package let setting: String
        package let page: String
    }

    package var absent: [Absent] {
        ProviderList.all.filter { kind in
            guard let id = kind.id else { return !providers.all.contains { $0 is OpenIDConnectProvider } }
            return providers[id] == nil
        }.map { Absent(name: $0.name, setting: $0.enablingSetting, page: $0.page) }
    }

    /// The realms of each configured provider, for an operator who links an identity.
    package var realms: [(provider: String, realm: String)] {
        providers.all.flatMap { provider in provider.realms.map { (provider.id.rawValue, $0) } }
    }

    package func list(by actor: AdminActor) async throws -> [Standing] {
        let counts = try await desk.look(.showProviders, actor) { connection in
            try connection.query(
                """
                select p.id, coalesce(c.sign_ins, 0), coalesce(c.refusals, 0), coalesce(i.identities, 0)
                  from unnest(\(providers.all.map(\.id.rawValue))) p (id)
                  left join (select provider, (sum(count) filter (where outcome = 'done' and action in ('signed_in', 'account_created')))::bigint as sign_ins,
                                    (sum(count) filter (where outcome = 'refused'))::bigint as refusals
                               from counted_events(now() - interval '1 day') group by provider) c on c.provider = p.id
                  left join (select provider, count(*) as identities from identities group by provider) i on i.provider = p.id
                """
            ).map { row in
                (try row.value(0, as: String.self), try [row.value(1, as: Int.self), row.value(2), row.value(3)])
            }
        }
        let byID = Dictionary(counts) { first, _ in first }
        return providers.all.map { provider in
            let id = provider.id.rawValue
            let numbers = byID[id] ?? [0, 0, 0]
            let health = (provider as? any ReportsHealth)?.health.snapshot
            return Standing(
                id: id, name: provider.displayName, lastSuccess: health?.lastSuccess, lastFailure: health?.lastFailure,
                lastFailureReason: health?.lastFailureReason, keySetArrived: health?.keySetArrived,
                signIns: numbers[0], refusals: numbers[1], identities: numbers[2], ways: Ways(provider))
        }
    }
}
