import Cryptography
import Foundation
import HTTPServer
package import Logging
package import Messages
package import Outbound
package import Providers
import Settings
import Telemetry
import Vocabulary

/// The services of others that the gateway calls.
package enum OutboundServices {
    /// The providers, each behind a circuit of its own.
    package static func registry(_ settings: ProviderSettings, _ outbound: HTTPClient, _ logger: Logger) throws
        -> ProviderRegistry
    {
        let (registry, problems) = ProviderRegistry.build(settings.configured) { id in
            var logger = logger
            logger[metadataKey: "provider"] = "\(id.rawValue)"
            return Upstream(
                transport: GuardedTransport(outbound), health: ProviderHealth(provider: id),
                timeout: .seconds(settings.timeoutSeconds), logger: logger)
        }
        guard problems.isEmpty else {
            throw ConfigurationError(complaints: problems.map { .init(key: $0.setting, text: $0.reason) })
        }
        return registry
    }

    /// The ways out for messages.
    package static func delivery(_ configuration: GatewayConfiguration, _ outbound: HTTPClient) throws
        -> DeliverySettings
    {
        let delivery = configuration.delivery
        let from = try MailAddress(delivery.sender)
        return DeliverySettings(
            mail: try mail(delivery.route, from: from), from: from, sms: sms(configuration, outbound),
            smsCountries: delivery.smsCountries,
            serviceName: configuration.serviceName, publicURL: configuration.server.publicURL,
            language: delivery.language.rawValue)
    }

    /// The operator's own services: callouts during a sign-in, and webhook endpoints.
    package struct Callouts: Sendable {
        package let claims: ClaimsCallout
        /// Nil where there are no custom challenges.
        package let challenge: ChallengeWebhook?
        /// Nil where no range service is configured.
        package let breaches: BreachedPasswords?
        /// Nil where no bot check service is configured.
        package let botChecks: BotChecks?
        /// A client of its own: endpoints that are slow leave the providers' alone.
        package let events: any HTTPTransport
    }

    package static func callouts(
        _ configuration: GatewayConfiguration, _ outbound: HTTPClient, _ logger: Logger
    ) -> Callouts {
        Callouts(
            claims: ClaimsCallout(transport: outbound),
            challenge: configuration.challenges.map {
                ChallengeWebhook(url: $0.url, secret: $0.secret, transport: GuardedTransport(outbound))
            },
            breaches: configuration.passwords.breachURL.map { BreachedPasswords(url: $0, transport: outbound) },
            botChecks: configuration.botChecks.map {
                BotChecks(
                    url: $0.url ?? $0.widget.kind.verification, secret: $0.secret,
                    transport: GuardedTransport(outbound), logger: logger)
            },
            events: HTTPClient(
                configuration: OutboundConfiguration(
                    insecureAllowLocal: configuration.providers.allowsLocalProviders)))
    }

    private static func mail(_ route: DeliveryConfiguration.Route, from: MailAddress) throws -> any MailSender {
        switch route {
        case .directory(let directory): return FileSender(directory: directory) { Terminal.write($0) }
        case .smtp(let smtp):
            let security = SMTPConfiguration.Security(rawValue: smtp.security.rawValue) ?? .startTLS
            return try SMTPSender(
                configuration: SMTPConfiguration(
                    host: smtp.host, port: smtp.port, security: security, user: smtp.user, password: smtp.password,
                    from: from, caBundle: smtp.certificatesFile))
        }
    }

    package static func sms(_ configuration: GatewayConfiguration, _ outbound: HTTPClient) -> (any SMSSender)? {
        switch configuration.delivery.sms {
        case .none: return nil
        case .directory(let directory): return FileSender(directory: directory) { Terminal.write($0) }
        case .webhook(let url, let secret):
            return WebhookSMSSender(url: url, secret: secret, transport: GuardedTransport(outbound))
        case .twilio(let twilio):
            let sender: TwilioAccount.Sender =
                switch twilio.sender {
                case .number(let number): .number(number)
                case .messagingService(let sid): .messagingService(sid)
                }
            return TwilioSMSSender(
                TwilioAccount(
                    base: twilio.base, sid: twilio.sid, token: twilio.token, sender: sender,
                    statusCallback: configuration.twilioCallback?.url),
                transport: GuardedTransport(outbound))
        }
    }
}
