import Pages

extension AccountPage.Activity {
    func masked(by mask: inout TextMask) -> Self {
        Self(events: events.map { $0.masked(by: &mask) }, olderAddress: olderAddress.map { mask.address($0) })
    }

    var values: [String: Any] {
        var values: [String: Any] = ["has_events": !events.isEmpty, "events": events.map(\.values)]
        values["older_address"] = olderAddress
        return values
    }
}

extension AccountPage.Event {
    /// Mask these too, or each history gets its own cache entry.
    fileprivate func masked(by mask: inout TextMask) -> Self {
        let means = [means].compactMap(\.self) + choices.map { mask.words.text("choice.\($0)") }
        return Self(
            what: mask.shown(mask.words.text("account.event.\(what)")),
            author: author.map { mask.shown(mask.words.text("account.by_\($0)")) }, choices: [],
            means: mask.shown(ifAny: means.isEmpty ? nil : means.joined(separator: " · ")),
            place: mask.shown(ifAny: place), at: mask.moment(at))
    }

    fileprivate var values: [String: Any] {
        var values: [String: Any] = ["what": what, "at": at]
        values["author"] = author
        values["means"] = means
        values["place"] = place
        return values
    }
}
