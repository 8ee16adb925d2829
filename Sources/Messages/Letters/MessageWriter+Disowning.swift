import JSON

/// The notices with a link that disowns a sign-in.
extension MessageWriter {
    func newDevice(
        _ detail: JSONObject, _ language: MessageLanguage, _ brand: MessageBrand, _ catalogue: MessageCatalogue
    ) -> [Letter.Paragraph] {
        func text(_ part: String, _ values: [String: String] = [:]) -> String {
            catalogue.text("notice.new_device.\(part)", language, values)
        }
        guard let notice = NewDeviceNotice(detail) else {
            return [
                .text(text("text")), .text(catalogue.text("notice.advice", language, ["service": brand.serviceName])),
            ]
        }
        let facts = [
            "date": notice.moment, "app": notice.app, "address": notice.address,
            "device": notice.device ?? text("unknown"),
        ]
        return [.text(text("text"))]
            + ["date", "app", "device", "address"].map { .text(text($0, facts)) }
            + disowning(notice.ticket, language, catalogue)
    }

    /// A mailbox of a merged account gets a link, unless it is new or no session proved that account.
    func absorbed(
        _ detail: JSONObject, _ language: MessageLanguage, _ brand: MessageBrand, _ catalogue: MessageCatalogue
    ) -> [Letter.Paragraph] {
        func text(_ key: String) -> Letter.Paragraph {
            .text(catalogue.text("notice.\(key)", language, ["service": brand.serviceName]))
        }
        let lead = text("account_absorbed.text")
        guard let notice = NewDeviceNotice(detail) else { return [lead, text("advice")] }
        return [lead] + disowning(notice.ticket, language, catalogue)
    }

    /// The end of a notice with a link that disowns a sign-in.
    private func disowning(
        _ ticket: DisownTicket, _ language: MessageLanguage, _ catalogue: MessageCatalogue
    ) -> [Letter.Paragraph] {
        func text(_ part: String) -> String { catalogue.text("notice.new_device.\(part)", language, [:]) }
        return [
            .text(text("known")), .text(text("unknown_sign_in")),
            .link("\(publicURL)/not-me?ticket=\(tickets.text(ticket))", label: text("link")),
        ]
    }
}
