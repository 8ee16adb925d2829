import Cryptography
import Foundation
import Providers
import ServiceLifecycle
import Sessions

/// Everything that talks to somebody else's service.
enum FarSides {
    /// The providers, each behind a circuit of its own.
    static func registry(_ settings: ProviderSettings, _ outbound: HTTPClient) throws -> ProviderRegistry {
        let (registry, problems) = ProviderRegistry.build(try settings.providers()) { id in
            Upstream(
                transport: GuardedTransport(outbound), health: ProviderHealth(provider: id),
                timeout: .seconds(settings.timeoutSeconds))
        }
        guard problems.isEmpty else {
            throw ConfigurationError(complaints: problems.map { .init(key: $0.setting, text: $0.reason) })
        }
        return registry
    }

    /// The way out for mail: a mail server, or files for development.
    static func mail(_ delivery: DeliveryConfiguration) throws -> (sender: any MailSender, from: MailAddress) {
        let from = try MailAddress(delivery.sender)
        switch delivery.route {
        case .directory(let directory):
            return (FileSender(directory: directory) { Console.write($0) }, from)
        case .smtp(let smtp):
            let security = SMTPConfiguration.Security(rawValue: smtp.security.rawValue) ?? .startTLS
            return (
                try SMTPSender(
                    configuration: SMTPConfiguration(
                        host: smtp.host, port: smtp.port, security: security, user: smtp.user, password: smtp.password,
                        from: from,
                        caBundle: smtp.certificatesFile)), from
            )
        }
    }
}

/// Keeps what providers publish warm: discovery and keys, before somebody waits for them.
struct ProviderUpkeep: Service {
    let providers: ProviderRegistry

    func run() async throws {
        await providers.preload()
        try await repeatUntilShutdown(every: .seconds(30)) { await providers.refreshDue() }
    }
}
