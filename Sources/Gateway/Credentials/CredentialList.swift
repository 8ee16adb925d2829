import Admin
import Cryptography
import Foundation

extension ExpiringCredentials {
    /// Those of a configuration.
    ///
    /// - Parameters:
    ///   - certificateEnd: of the certificate that is shown now; nil where TLS ends in front of us.
    ///   - signingSince: when the newest signing key came, or comes, into use.
    init(
        _ configuration: GatewayConfiguration, certificateEnd: @escaping @Sendable () -> Date?,
        signingSince: @escaping @Sendable () -> Date?
    ) {
        let fixed =
            configuration.providers.credentials + configuration.masterKeys.ids.map(ExpiringCredential.init(masterKey:))
        let days = configuration.tokens.signingKeyRotationDays
        self.init([
            { certificateEnd().map { [ExpiringCredential(.certificate, expires: $0)] } ?? [] },
            {
                signingSince().map {
                    [ExpiringCredential(.signingKey, expires: $0.addingTimeInterval(Double(days) * 86_400))]
                } ?? []
            },
            { fixed },
        ])
    }
}

extension ProviderSettings {
    /// What the providers know us by.
    ///
    /// GitHub's client secrets have no end.
    var credentials: [ExpiringCredential] {
        let secrets: [(id: String, secret: Secret?, expires: Date?)] =
            [
                ("amazon", amazon?.clientSecret, amazon?.clientSecretExpires),
                ("microsoft", microsoft?.clientSecret, microsoft?.clientSecretExpires),
                ("cognito", cognito?.clientSecret, cognito?.clientSecretExpires),
            ] + openIDConnect.map { ($0.id, $0.clientSecret, $0.clientSecretExpires) }
        let key = apple.flatMap { apple in
            apple.privateKey.map { _ in ExpiringCredential(.clientKey, of: "apple", note: apple.keyID) }
        }
        return secrets.compactMap { id, secret, expires in
            secret.map { _ in ExpiringCredential(.clientSecret, of: id, expires: expires) }
        } + [key].compactMap { $0 }
    }
}
