import JSON

/// The notices of account changes.
extension MessageWriter {
    func noticeParagraphs(_ kind: String, _ detail: JSONObject, _ texts: LetterTexts) -> [Letter.Paragraph] {
        let text = texts.paragraphs("notice.\(Self.words(kind)).text")
        if NoticePages.withoutAdvice.contains(kind) { return text }
        guard let notice = Self.disowned(kind, detail) else { return text + texts.paragraphs("notice.advice") }
        let facts = kind == "new_device" ? Self.facts(notice, texts) : []
        return text + facts + texts.paragraphs("notice.new_device.known", "notice.new_device.unknown_sign_in")
    }

    func noticeButton(
        _ kind: String, _ detail: JSONObject, _ brand: MessageBrand, _ texts: LetterTexts
    ) -> Letter.Link? {
        if let notice = Self.disowned(kind, detail) {
            return Letter.Link(
                label: texts("notice.new_device.link"),
                address: "\(publicURL)/not-me?ticket=\(tickets.text(notice.ticket))")
        }
        return NoticePages.address(kind).map { path in
            Letter.Link(label: texts("button.account"), address: brand.address(of: path, at: publicURL))
        }
    }

    /// The sign-in that a notice lets its reader disown; nil for other notices, and for incomplete facts.
    ///
    /// A mailbox of a merged account gets the link too, unless it is new or no session proved that account.
    private static func disowned(_ kind: String, _ detail: JSONObject) -> NewDeviceNotice? {
        ["new_device", "account_absorbed"].contains(kind) ? NewDeviceNotice(detail) : nil
    }

    private static func facts(_ notice: NewDeviceNotice, _ texts: LetterTexts) -> [Letter.Paragraph] {
        let unknown = texts("notice.new_device.unknown")
        let facts = [
            "date": notice.moment, "app": notice.app ?? unknown, "address": notice.address,
            "device": notice.device ?? unknown,
        ]
        return ["date", "app", "device", "address"].map { .text(texts("notice.new_device.\($0)", facts)) }
    }
}
