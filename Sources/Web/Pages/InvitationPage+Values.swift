import Pages

extension InvitationPage: Page {
    static let template = "invitation"

    func masked(by mask: inout TextMask) -> InvitationPage {
        InvitationPage(
            clientName: mask.shown(clientName), mailbox: mask.shown(mailbox), hidden: mask.fields(hidden))
    }

    func values(in words: Words) -> [String: Any] {
        var values = words.card(heading: "invitation.heading", client: clientName, problem: nil)
        values["mailbox"] = mailbox
        values["lead"] = words.sentence("invitation.lead", ["client": clientName])
        values["hidden"] = hidden.map(\.values)
        return values
    }
}
