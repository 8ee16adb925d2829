import Cryptography
import Sessions

/// Who may say what became of a message, and how they are known.
struct DeliveryEvents: Sendable {
    let reports: DeliveryReports
    /// What reports are signed with; nil where none are taken.
    let secret: Secret?
    /// Nil where Twilio sends nothing, or can't call us.
    let twilio: TwilioCallback?
}

/// Where Twilio reports to, and what it signs with.
struct TwilioCallback: Sendable {
    let url: String
    let token: Secret

    static let path = "v1/events/twilio"

    /// Nil where `PUBLIC_URL` isn't https: a report could be read and changed on its way.
    static func url(_ server: ServerConfiguration) -> String? {
        server.isPubliclySecure ? "\(server.publicURL)/\(path)" : nil
    }

    init?(_ configuration: GatewayConfiguration) {
        guard case .twilio(let settings) = configuration.delivery.sms, let url = Self.url(configuration.server) else {
            return nil
        }
        (self.url, token) = (url, settings.token)
    }
}
