import Vocabulary

extension BotWidget {
    /// For the template `bot_widget`, and for its script.
    var values: [String: Any] {
        ["class": kind.elementClass, "site_key": siteKey, "script": kind.script]
    }
}
