import Foundation
import JSON

/// Writes the text of a message.
struct MessageWriter: Sendable {
    let catalogue: MessageCatalogue
    let serviceName: String
    /// The default for an unknown language.
    let language: MessageLanguage
    /// The host name of our pages in browsers; nil without https.
    let host: String?
    private let publicURL: String
    private let tickets: DisownTickets

    init(
        catalogue: MessageCatalogue, serviceName: String, publicURL: String, language: String, tickets: DisownTickets
    ) {
        (self.catalogue, self.serviceName) = (catalogue, serviceName)
        (self.publicURL, self.tickets) = (publicURL, tickets)
        self.language = MessageLanguage(tag: language) ?? .english
        let url = URL(string: publicURL)
        host = url?.scheme == "https" ? url?.host : nil
    }

    func letter(_ content: MessageContent, _ tag: String?) -> Letter {
        let language = language(tag)
        let values = values(content, language)
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
            // The account is gone, so the text does not advise to sign in and check.
            case .notice("account_deleted", _): [text("notice.account_deleted.text")]
            case .notice("new_device", let detail): newDevice(detail, language)
            case .notice(let kind, _): [text("notice.\(Self.words(kind)).text"), text("notice.advice")]
            }
        return Letter(language: language, subject: subject(content, language), paragraphs: paragraphs)
    }

    private func newDevice(_ detail: JSONObject, _ language: MessageLanguage) -> [Letter.Paragraph] {
        func text(_ part: String, _ values: [String: String] = [:]) -> String {
            catalogue.text("notice.new_device.\(part)", language, values)
        }
        guard let notice = NewDeviceNotice(detail) else {
            return [.text(text("text")), .text(catalogue.text("notice.advice", language, ["service": serviceName]))]
        }
        let facts = [
            "date": notice.moment, "app": notice.app, "address": notice.address,
            "device": notice.device ?? text("unknown"),
        ]
        return [.text(text("text"))]
            + ["date", "app", "device", "address", "known", "unknown_sign_in"].map {
                .text(text($0, facts))
            } + [.link("\(publicURL)/not-me?ticket=\(tickets.text(notice.ticket))", label: text("link"))]
    }

    /// A code's last line binds it to our pages (WICG, origin-bound one-time codes): browsers fill it in only there.
    func sms(_ content: MessageContent, _ tag: String?) -> String {
        let language = language(tag)
        var values = values(content, language)
        switch content {
        case .code(let purpose, let code, _):
            let text = catalogue.text("sms.code.\(purpose.rawValue)", language, values)
            return host.map { "\(text)\n@\($0) #\(code)" } ?? text
        case .accountExists: return catalogue.text("sms.account_exists", language, values)
        case .noAccount: return catalogue.text("sms.no_account", language, values)
        case .notice:
            values["title"] = subject(content, language)
            return catalogue.text("sms.notice", language, values)
        }
    }

    /// A tag without texts gives English; a missing tag gives the service's language.
    private func language(_ tag: String?) -> MessageLanguage {
        guard let tag, !tag.isEmpty else { return language }
        return MessageLanguage(tag: tag) ?? .english
    }

    private func subject(_ content: MessageContent, _ language: MessageLanguage) -> String {
        let key =
            switch content {
            case .code: "code.subject"
            case .accountExists: "account_exists.subject"
            case .noAccount: "no_account.subject"
            case .notice(let kind, _): "notice.\(Self.words(kind)).subject"
            }
        return catalogue.text(key, language, values(content, language))
    }

    private func values(_ content: MessageContent, _ language: MessageLanguage) -> [String: String] {
        var values = ["service": serviceName]
        if case .code(_, let code, let seconds) = content {
            values["code"] = code
            values["life"] = life(seconds, language)
        }
        if case .notice(_, let detail) = content { values["date"] = detail["due"]?.string ?? "" }
        return values
    }

    /// `10 min`; whole hours from two hours up.
    private func life(_ seconds: Int, _ language: MessageLanguage) -> String {
        let isHours = seconds >= 7_200 && seconds % 3_600 == 0
        let count = isHours ? seconds / 3_600 : max(1, seconds / 60)
        return catalogue.text(isHours ? "life.hours" : "life.minutes", language, ["count": "\(count)"])
    }

    private static func words(_ kind: String) -> String {
        MessageKeys.notices.contains(kind) ? kind : "other"
    }
}
