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
        let brand = brands.brand(of: client)
        let texts = letterTexts(content, tag, brand)
        return Letter(
            language: texts.language, subject: texts(Self.subjectKey(content)),
            heading: texts(Self.headingKey(content)), paragraphs: paragraphs(content, texts),
            button: button(content, brand, texts),
            reason: texts(Self.reasonKey(content)), brand: brand, links: Self.links(brand, texts))
    }

    private func paragraphs(_ content: MessageContent, _ texts: LetterTexts) -> [Letter.Paragraph] {
        switch content {
        case .code(let purpose, let code, _):
            [.code(code)] + texts.paragraphs("code.once", "code.warning", "code.\(purpose.rawValue).unasked")
        case .accountExists: texts.paragraphs("account_exists.text", "account_exists.advice", "unasked")
        case .noAccount: texts.paragraphs("no_account.text", "no_account.advice", "unasked")
        case .invitation(_, let password):
            texts.paragraphs("invitation.text") + [.code(password)] + texts.paragraphs("invitation.advice")
        case .invitationLink: texts.paragraphs("invitation_link.text", "invitation_link.advice")
        case .notice(let kind, let detail): noticeParagraphs(kind, detail, texts)
        }
    }

    /// A code has no button: it is entered where its reader requested it.
    private func button(_ content: MessageContent, _ brand: MessageBrand, _ texts: LetterTexts) -> Letter.Link? {
        switch content {
        case .code: nil
        case .accountExists, .noAccount, .invitation:
            Letter.Link(
                label: texts("button.sign_in"),
                address: brand.brand?.home ?? brand.address(of: "/login", at: publicURL))
        case .invitationLink(let token):
            Letter.Link(label: texts("invitation_link.link"), address: "\(publicURL)/invitation?token=\(token)")
        case .notice(let kind, let detail): noticeButton(kind, detail, brand, texts)
        }
    }

    /// The links of the app's brand, with their names.
    private static func links(_ brand: MessageBrand, _ texts: LetterTexts) -> [Letter.Link] {
        let addresses = [
            ("terms", brand.brand?.terms), ("privacy", brand.brand?.privacy), ("support", brand.brand?.support),
        ]
        return addresses.compactMap { name, address in
            address.map { Letter.Link(label: texts("footer.\(name)"), address: $0) }
        }
    }

    /// A code's last line binds it to our pages (WICG, origin-bound one-time codes): browsers fill it in only there.
    func sms(_ content: MessageContent, _ tag: String?, of client: String? = nil) -> String {
        let texts = letterTexts(content, tag, brands.brand(of: client))
        switch content {
        case .code(let purpose, let code, _):
            let text = texts("sms.code.\(purpose.rawValue)")
            return host.map { "\(text)\n@\($0) #\(code)" } ?? text
        case .accountExists: return texts("sms.account_exists")
        case .noAccount: return texts("sms.no_account")
        case .invitation: return texts("sms.invitation")
        case .invitationLink: return texts("sms.invitation_link")
        case .notice(let kind, _):
            let title = texts(Self.subjectKey(content))
            return NoticePages.withoutAdvice.contains(kind) ? title : texts("sms.notice", ["title": title])
        }
    }

    private func letterTexts(_ content: MessageContent, _ tag: String?, _ brand: MessageBrand) -> LetterTexts {
        let (language, catalogue) = (language(tag), texts.catalogue)
        return LetterTexts(
            catalogue: catalogue, language: language, values: Self.values(content, language, brand, catalogue))
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

    private static func headingKey(_ content: MessageContent) -> String {
        if case .code(let purpose, _, _) = content { "code.\(purpose.rawValue).lead" } else { subjectKey(content) }
    }

    private static func reasonKey(_ content: MessageContent) -> String {
        switch content {
        case .code, .accountExists, .noAccount: "reason.typed"
        case .invitation, .invitationLink, .notice: "reason.account"
        }
    }

    private static func values(
        _ content: MessageContent, _ language: MessageLanguage, _ brand: MessageBrand, _ catalogue: MessageCatalogue
    ) -> [String: String] {
        var values = ["service": brand.serviceName]
        switch content {
        case .code(_, let code, let seconds):
            (values["code"], values["life"]) = (code, life(seconds, language, catalogue))
        case .invitation(let name, let password): (values["name"], values["code"]) = (name, password)
        case .notice(_, let detail):
            values["date"] = detail["due"]?.string
            values["left"] = detail["left"]?.integer.map { "\($0)" }
        case .accountExists, .noAccount, .invitationLink: break
        }
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

    /// The part of its keys that names a notice.
    static func words(_ kind: String) -> String { MessageKeys.notices.contains(kind) ? kind : "other" }
}
