/// What a `User-Agent` says in two words, so that people know their devices again: "Firefox, Linux".
///
/// For display alone: everybody may call themselves what they like.
enum UserAgent {
    /// The first that occurs counts: most browsers name the ones that they want to be taken for as well.
    private static let browsers = [
        ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser", "Samsung Internet"), ("Firefox", "Firefox"),
        ("CriOS", "Chrome"), ("FxiOS", "Firefox"), ("Chrome", "Chrome"), ("Safari", "Safari"), ("curl", "curl"),
    ]
    private static let systems = [
        ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"), ("CrOS", "ChromeOS"),
        ("Mac OS X", "macOS"), ("Linux", "Linux"),
    ]

    static func name(_ text: String) -> String {
        let browser = browsers.first { text.contains($0.0) }?.1
        let system = systems.first { text.contains($0.0) }?.1
        let parts = [browser, system].compactMap(\.self)
        return parts.isEmpty ? text.bounded(bytes: 60) : parts.joined(separator: ", ")
    }
}
