import Pages

extension OwnMergePage: Page {
    static let template = "merge"

    func masked(by mask: inout TextMask) -> OwnMergePage {
        OwnMergePage(
            clientName: mask.shown(clientName), who: mask.shown(ifAny: who),
            identities: identities.map { $0.masked(by: &mask) }, emails: emails.map { mask.shown($0) },
            phones: phones.map { mask.shown($0) },
            protections: mask.shown(ifAny: protections), movesPassword: movesPassword, losesPassword: losesPassword,
            endsSessions: mask.shown(ifAny: endsSessions), hidden: mask.fields(hidden),
            problem: problem.map { $0.masked(by: &mask) })
    }

    func values(in words: Words) -> [String: Any] {
        var values = words.card(heading: "merge.heading", client: clientName, problem: problem)
        values["who"] = who
        values["hidden"] = hidden.map(\.values)
        values["identities"] = identities.map(\.values)
        (values["emails"], values["phones"]) = (emails, phones)
        values["protections"] = protections.map {
            ["sentence": words.sentence("merge.protections", ["count": $0])]
        }
        values["moves_password"] = movesPassword
        values["loses_password"] = losesPassword
        values["sessions"] = endsSessions.map { ["sentence": words.sentence("merge.sessions", ["count": $0])] }
        return values
    }
}

extension OwnMergePage.Identity {
    fileprivate func masked(by mask: inout TextMask) -> Self {
        Self(provider: mask.provider(provider), name: mask.shown(name), email: mask.shown(ifAny: email))
    }

    fileprivate var values: [String: Any] {
        var values: [String: Any] = [
            "provider_name": name, "icon": Brand.icon(of: provider), "style": Brand.style(of: provider),
        ]
        values["identity_email"] = email
        return values
    }
}

extension AccountPage.Merge {
    func masked(by mask: inout TextMask) -> Self {
        Self(id: mask.exact(id), madeAt: mask.date(madeAt), until: mask.date(until))
    }

    func values(in words: Words) -> [String: Any] {
        [
            "id": id, "made": words.sentence("account.merged_on", ["date": madeAt]),
            "until": words.sentence("account.undo_until", ["date": until]),
        ]
    }
}
