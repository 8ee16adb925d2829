import GatewaySettings
import HTTPServer
import Providers
import Settings

/// The settings that a new deployment needs.
enum SetupQuestions {
    /// Asked in this order, before those of the providers.
    static let general: [ConfigurationKey] = [
        .publicURL, .trustedProxies, .databaseURL, .mailFrom, .smtpHost, .smtpUser, .smtpPassword, .clientID,
        .clientName, .clientRedirectURIs,
    ]

    /// The default of an answer: production values, so never one for development.
    static func suggestion(for key: ConfigurationKey) -> String? {
        switch key {
        case .clientID: return "app"
        case .publicURL: return nil
        default: break
        }
        // The fixed address of a known issuer.
        guard key.name.hasSuffix("_ISSUER"), case .set(let value) = key.example, value.hasPrefix("https://") else {
            return nil
        }
        return value
    }

    /// The ids that an operator can name: the kinds, and any id for a further OpenID Connect provider.
    static var providerIDs: [String] { ProviderList.all.compactMap { $0.id?.rawValue } }

    /// The settings of a provider without a default.
    ///
    /// An id that no kind has is an OpenID Connect provider's.
    static func keys(ofProvider id: String) -> [ConfigurationKey] {
        let kind = ProviderList.all.first { $0.id?.rawValue == id }
        let keys = kind?.keys ?? openIDConnect.filter(\.hasPlaceholder).map { $0.named(for: id) }
        return keys.filter { $0.standard == nil && $0.standardText == nil }
    }

    private static var openIDConnect: [ConfigurationKey] { ProviderList.all.first { $0.id == nil }?.keys ?? [] }
}
