import Clients
import Foundation
import JSON

/// Writes the text of a message.
struct MessageWriter: Sendable {
    let texts: MessageTexts
    let brands: MessageBrands
    /// The default for an unknown language.
    let language: MessageLanguage
    /// The host name of our pages in browsers; nil without https.
    let host: String?
    let publicURL: String
    let tickets: DisownTickets

    init(
        texts: MessageTexts, brands: MessageBrands, publicURL: String, language: String, tickets: DisownTickets
    ) {
        (self.texts, self.brands) = (texts, brands)
        (self.publicURL, self.tickets) = (publicURL, tickets)
        self.language = MessageLanguage(tag: language) ?? .english
        let url = URL(string: publicURL)
        host = url?.scheme == "https" ? url?.host : nil
    }

    /// - Parameter client: the app that the message belongs to; nil for none.
    func letter(_ content: MessageContent, _ tag: String?, of client: String? = nil) -> Letter {
        let (language, brand) = (language(tag), brands.brand(of: client))
        let catalogue = texts.catalogue
        let values = values(content, language, brand, catalogue)
        func text(_ key: String) -> Letter.Paragraph { .text(catalogue.text(key, language, values)) }
        let paragraphs: [Letter.Paragraph] =
            switch content {
            case .code(let purpose, let code, _):
                [
                    text("code.\(purpose.rawValue).lead"), .code(code), text("code.once"), text("code.warning"),
                    text("code.\(purpose.rawValue).unasked"),
                ]
            case .accountExists: [text("account_exists.text"), text("account_exists.advice"), text("unasked")]
            case .noAccount: [text("no_account.text"), text("no_account.advice"), text("unasked")]
            case .invitation(_, let password):
                [text("invitation.text"), .code(password), text("invitation.advice")]
            case .invitationLink(let token):
                [
                    text("invitation_link.text"),
                    .link(
                        "\(publicURL)/invitation?token=\(token)",
                        label: catalogue.text("invitation_link.link", language, values)),
                    text("invitation_link.advice"),
                ]
            // The account is gone, so the text does not advise to sign in and check.
            case .notice("account_deleted", _): [text("notice.account_deleted.text")]
            case .notice("new_device", let detail): newDevice(detail, language, brand, catalogue)
            case .notice("account_absorbed", let detail): absorbed(detail, language, brand, catalogue)
            case .notice(let kind, _): [text("notice.\(Self.words(kind)).text"), text("notice.advice")]
            }
        return Letter(
            language: language, subject: catalogue.text(Self.subjectKey(content), language, values),
            paragraphs: paragraphs, brand: brand, links: Self.links(brand, language, catalogue))
    }

    /// The links of the app's brand, with their names.
    private static func links(
        _ brand: MessageBrand, _ language: MessageLanguage, _ catalogue: MessageCatalogue
    ) -> [Letter.Link] {
        let addresses = [
            ("terms", brand.brand?.terms), ("privacy", brand.brand?.privacy), ("support", brand.brand?.support),
        ]
        return addresses.compactMap { name, address in
            address.map { Letter.Link(label: catalogue.text("footer.\(name)", language, [:]), address: $0) }
        }
    }

    /// A code's last line binds it to our pages (WICG, origin-bound one-time codes): browsers fill it in only there.
    func sms(_ content: MessageContent, _ tag: String?, of client: String? = nil) -> String {
        let (language, catalogue) = (language(tag), texts.catalogue)
        var values = values(content, language, brands.brand(of: client), catalogue)
        switch content {
        case .code(let purpose, let code, _):
            let text = catalogue.text("sms.code.\(purpose.rawValue)", language, values)
            return host.map { "\(text)\n@\($0) #\(code)" } ?? text
        case .accountExists: return catalogue.text("sms.account_exists", language, values)
        case .noAccount: return catalogue.text("sms.no_account", language, values)
        case .invitation: return catalogue.text("sms.invitation", language, values)
        case .invitationLink: return catalogue.text("sms.invitation_link", language, values)
        case .notice:
            values["title"] = catalogue.text(Self.subjectKey(content), language, values)
            return catalogue.text("sms.notice", language, values)
        }
    }

    /// A tag without texts gives English; a missing tag gives the service's language.
    private func language(_ tag: String?) -> MessageLanguage {
        guard let tag, !tag.isEmpty else { return language }
        return MessageLanguage(tag: tag) ?? .english
    }

    private static func subjectKey(_ content: MessageContent) -> String {
        switch content {
        case .code: "code.subject"
        case .accountExists: "account_exists.subject"
        case .noAccount: "no_account.subject"
        case .invitation: "invitation.subject"
        case .invitationLink: "invitation_link.subject"
        case .notice(let kind, _): "notice.\(words(kind)).subject"
        }
    }

    private func values(
        _ content: MessageContent, _ language: MessageLanguage, _ brand: MessageBrand, _ catalogue: MessageCatalogue
    ) -> [String: String] {
        var values = ["service": brand.serviceName]
        if case .code(_, let code, let seconds) = content {
            values["code"] = code
            values["life"] = Self.life(seconds, language, catalogue)
        }
        if case .invitation(let name, let password) = content {
            (values["name"], values["code"]) = (name, password)
        }
        if case .notice(_, let detail) = content { values["date"] = detail["due"]?.string ?? "" }
        return values
    }

    /// `10 min`; whole hours from two hours up.
    private static func life(
        _ seconds: Int, _ language: MessageLanguage, _ catalogue: MessageCatalogue
    ) -> String {
        let isHours = seconds >= 7_200 && seconds % 3_600 == 0
        let count = isHours ? seconds / 3_600 : max(1, seconds / 60)
        return catalogue.text(isHours ? "life.hours" : "life.minutes", language, ["count": "\(count)"])
    }

    private static func words(_ kind: String) -> String {
        MessageKeys.notices.contains(kind) ? kind : "other"
    }
}
