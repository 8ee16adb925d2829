extension NoticePage: Page {
    package static let template = "notice"

    /// A code without a message, or without its arguments, becomes the generic one.
    package func masked(by mask: inout TextMask) -> NoticePage {
        let title = mask.arguments(of: "notice.\(code).title", from: arguments)
        let text = mask.arguments(of: "notice.\(code).text", from: arguments)
        let known = NoticeCode(rawValue: code) != nil && title != nil && text != nil
        return NoticePage(
            code: known ? code : NoticeCode.internalError.rawValue,
            arguments: known ? (title ?? [:]).merging(text ?? [:]) { first, _ in first } : [:],
            requestID: mask.shown(ifAny: requestID),
            actions: actions.compactMap { $0.masked(by: &mask) }, detail: mask.shown(ifAny: detail))
    }

    package func values(in words: Words) -> [String: Any] {
        var values: [String: Any] = [
            "title": words.text("notice.\(code).title", arguments), "width": "card",
            "heading": words.sentence("notice.\(code).title", arguments),
            "text": words.sentence("notice.\(code).text", arguments), "has_actions": !actions.isEmpty,
            "actions": actions.map { $0.values(in: words) },
        ]
        values["reference"] = requestID.map { ["sentence": words.sentence("reference", ["id": $0])] }
        values["detail"] = detail.map { ["text": $0] }
        return values
    }
}

extension NoticePage.Action {
    /// Nil for a link without a message.
    fileprivate func masked(by mask: inout TextMask) -> Self? {
        ActionKey(rawValue: key).map { Self(key: $0.rawValue, address: mask.address(address), isMain: isMain) }
    }

    fileprivate func values(in words: Words) -> [String: Any] {
        [
            "key": key, "address": address, "label": words.text("action.\(key)"),
            "style": isMain ? "main" : "quiet",
        ]
    }
}
