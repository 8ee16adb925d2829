import HTTPServer
package import Logging
package import Messages
package import Outbound
package import Providers
import Settings
import Telemetry

/// The providers and the message routes of the settings.
package enum OutboundServices {
    /// The providers, each behind a circuit of its own; none for a use without their settings.
    package static func registry(
        _ settings: ProviderSettings, _ outbound: HTTPClient, _ logger: Logger, for use: SettingsUse = .all
    ) throws -> ProviderRegistry {
        let configured = use.includesProviders ? settings.configured : []
        let (registry, problems) = ProviderRegistry.build(configured) { id in
            var logger = logger
            logger[metadataKey: "provider"] = "\(id.rawValue)"
            return Upstream(
                transport: GuardedTransport(TracedTransport(outbound, service: id.rawValue, disclosing: .ids)),
                health: ProviderHealth(provider: id),
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
