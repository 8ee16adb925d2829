package import Cryptography
import Settings

/// The webhook that decides custom challenges.
package struct ChallengeConfiguration: Sendable, Equatable {
    /// `CUSTOM_CHALLENGE_URL`: the address of the webhook.
    ///
    /// URL, no default (no custom challenges), not secret.
    package let url: String
    /// `CUSTOM_CHALLENGE_SECRET`: the key that signs calls.
    ///
    /// Text, no default, secret.
    package let secret: Secret
}

extension ChallengeConfiguration {
    static let keys: [ConfigurationKey] = [.customChallengeURL, .customChallengeSecret]

    /// An attacker could guess a shorter secret from one signature.
    private static let shortestSecret = 32

    init?(_ settings: inout SettingsReader, local: Bool) {
        let url = settings.endpoint(.customChallengeURL, local: local)
        let secret = settings.secret(.customChallengeSecret)
        if let secret, secret.revealed.count < Self.shortestSecret {
            settings.complain(.customChallengeSecret, "must have \(Self.shortestSecret) characters or more")
        }
        if url != nil, secret == nil {
            settings.complain(.customChallengeSecret, "is missing: CUSTOM_CHALLENGE_URL is set")
        }
        guard let url, let secret else { return nil }
        (self.url, self.secret) = (url, secret)
    }
}

extension ConfigurationKey {
    static let customChallengeURL = ConfigurationKey(
        "CUSTOM_CHALLENGE_URL", .challenges, .url, example: .form("https://challenge.example.org/login"),
        "The webhook that poses and checks a custom challenge, as a second factor: [webhooks.md](webhooks.md).")
    static let customChallengeSecret = ConfigurationKey(
        "CUSTOM_CHALLENGE_SECRET", .challenges, secret: true, example: .form(""),
        "The secret that signs its calls; at least 32 characters.")
}
