import Cryptography
package import Foundation
import Operators
import Providers

extension ExpiringCredentials {
    /// The expiring credentials of a configuration.
    ///
    /// - Parameters:
    ///   - certificateEnd: the expiry of the served certificate; nil if a proxy terminates TLS.
    ///   - signingSince: the moment at which the newest signing key comes into use.
    package init(
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
    /// Our credentials at the providers: expiring secrets first, then keys without an expiry.
    var credentials: [ExpiringCredential] {
        let all = configured.flatMap { provider in
            provider.credentials.map { (id: provider.id.rawValue, credential: $0) }
        }
        let secrets = all.filter { $0.credential.kind == .clientSecret }
        let keys = all.filter { $0.credential.kind == .clientKey }
        return secrets.map { ExpiringCredential(.clientSecret, of: $0.id, expires: $0.credential.expires) }
            + keys.map { ExpiringCredential(.clientKey, of: $0.id, note: $0.credential.note) }
    }
}
