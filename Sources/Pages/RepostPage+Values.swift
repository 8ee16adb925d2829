extension RepostPage: Page {
    package static let template = "repost"

    package func masked(by mask: inout TextMask) -> RepostPage {
        RepostPage(action: mask.address(action), hidden: mask.fields(hidden))
    }

    package func values(in words: Words) -> [String: Any] {
        [
            "title": words.text("repost.heading"), "width": "card", "needs_script": true, "action": action,
            "hidden": hidden.map(\.values),
        ]
    }
}
