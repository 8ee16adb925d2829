package import Cryptography
package import Foundation
package import Vocabulary

/// The view of operators on the texts of messages: the defaults, checks, previews and test messages.
package struct MessageEditing: Sendable {
    private let bundled: MessageCatalogue
    private let settings: Settings
    private let tickets: DisownTickets
    /// Nil without a running server, as in a command.
    private let outbox: Outbox?

    /// The values that every message has.
    package struct Settings: Sendable {
        /// The name in texts without a brand's own.
        let serviceName: String
        /// Scheme and host of our pages, for links.
        let publicURL: String
        /// A BCP 47 tag.
        let language: String

        package init(serviceName: String, publicURL: String, language: String) {
            (self.serviceName, self.publicURL, self.language) = (serviceName, publicURL, language)
        }
    }

    /// A message as it would be sent.
    package struct Preview: Sendable, Equatable {
        package let subject: String
        package let text: String
        package let html: String
        /// The elements inside the body of ``html``, and their style.
        package let markup: String
        package let style = Letter.bodyStyle
        package let sms: String
    }

    /// The languages of messages, as BCP 47 tags.
    package static let languages = MessageLanguage.allCases.map(\.rawValue)

    package init(_ settings: Settings, texts: MessageTexts, keys: MasterKeys, outbox: Outbox?) {
        (bundled, self.settings, self.outbox) = (texts.bundled, settings, outbox)
        tickets = DisownTickets(keys: keys)
    }

    /// The default text of a key, and its placeholders in alphabetical order.
    package func standard(_ key: String, in language: String) -> (text: String, places: [String])? {
        MessageLanguage(rawValue: language).flatMap { bundled.source(of: key, in: $0) }
            .map { ($0.source, $0.places.sorted()) }
    }

    /// - Throws: the fault of the text.
    package func check(_ text: String, for key: String) throws(MessageTextFault) {
        _ = try bundled.checked(text, for: key)
    }

    /// A message with changed texts, in the look of an app.
    ///
    /// - Parameters:
    ///   - changed: by key; a text with a fault is left out.
    ///   - brand: nil for the plain look.
    func preview(
        _ template: MessageTemplate, in language: String, changed: [String: String], brand: MessageBrand?
    ) -> Preview {
        let own = MessageLanguage(rawValue: language) ?? .english
        let fit = changed.reduce(into: [String: MessageText]()) { fit, entry in
            fit[entry.key] = try? bundled.checked(entry.value, for: entry.key)
        }
        let writer = MessageWriter(
            texts: MessageTexts(bundled.changing(fit, in: own)),
            brands: MessageBrands(brand ?? MessageBrand(serviceName: settings.serviceName)),
            publicURL: settings.publicURL,
            language: settings.language, tickets: tickets)
        let letter = writer.letter(template.example, own.rawValue)
        return Preview(
            subject: letter.subject, text: letter.textBody, html: letter.htmlBody, markup: letter.markup,
            sms: writer.sms(template.example, own.rawValue))
    }

    /// Whether test messages of a medium can be sent.
    package func reaches(_ medium: Medium) -> Bool { outbox?.reaches(medium) ?? false }

    /// Prepares a test message with the stored texts; nil without a running server.
    package func test(
        _ template: MessageTemplate, in language: String, to destination: Destination, account: UUID
    ) -> OutgoingMessage? {
        outbox?.prepare(template.example, to: destination, language: language, account: account, client: nil)
    }

    package func deliver(_ message: OutgoingMessage) async throws(Rejection) { try await outbox?.deliver(message) }
}
