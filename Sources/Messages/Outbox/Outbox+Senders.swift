package import Clients
package import Cryptography
package import Foundation
package import Logging
package import Postgres

/// The senders of messages, and the names that messages use for the service.
package struct DeliverySettings: Sendable {
    package let mail: any MailSender
    package let from: MailAddress
    /// Nil if no text messages are sent.
    package let sms: (any SMSSender)?
    package let smsCountries: CallingCodes
    package let serviceName: String
    package let publicURL: String
    /// A BCP 47 tag, the default for an unknown language.
    package let language: String

    package init(
        mail: any MailSender, from: MailAddress, sms: (any SMSSender)?, smsCountries: CallingCodes = .all,
        serviceName: String, publicURL: String, language: String
    ) {
        (self.mail, self.from, self.sms, self.smsCountries) = (mail, from, sms, smsCountries)
        (self.serviceName, self.publicURL, self.language) = (serviceName, publicURL, language)
    }
}

extension Outbox {
    /// An outbox without senders, as in a command: a running server sends its messages.
    package static func withoutSenders(pool: ConnectionPool, keys: MasterKeys, logger: Logger) -> Outbox {
        Outbox(couriers: [:], pool: pool, keys: keys, logger: logger)
    }

    /// - Parameter client: the app of a message; that of the pages for a message of no app, such as a notice.
    package init(
        _ settings: DeliverySettings, texts: MessageTexts,
        client: @escaping @Sendable (String?) -> Client? = { _ in nil },
        pool: ConnectionPool, keys: MasterKeys,
        now: @escaping @Sendable () -> Date = { Date() }, logger: Logger
    ) {
        let writer = MessageWriter(
            texts: texts, brands: MessageBrands(serviceName: settings.serviceName, client: client),
            publicURL: settings.publicURL,
            language: settings.language, tickets: DisownTickets(keys: keys))
        var couriers: [Medium: any Courier] = [
            .email: MailCourier(sender: settings.mail, from: settings.from, writer: writer)
        ]
        if let sms = settings.sms { couriers[.sms] = SMSCourier(sender: sms, writer: writer) }
        self.init(
            couriers: couriers, countries: settings.smsCountries, pool: pool, keys: keys, now: now,
            logger: logger)
    }
}
