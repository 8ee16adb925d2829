/// A short device name from a `User-Agent`, such as "Firefox, Linux", so that users recognize their devices.
///
/// It is only for display, because a caller can send any `User-Agent`.
package enum UserAgent {
    /// The first match counts, because most browsers also name other browsers.
    private static let browsers = [
        ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser", "Samsung Internet"), ("Firefox", "Firefox"),
        ("CriOS", "Chrome"), ("FxiOS", "Firefox"), ("Chrome", "Chrome"), ("Safari", "Safari"), ("curl", "curl"),
    ]
    private static let systems = [
        ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"), ("CrOS", "ChromeOS"),
        ("Mac OS X", "macOS"), ("Linux", "Linux"),
    ]

    /// The name, made only of our own words; nil if none fits.
    package static func known(_ text: String) -> String? {
        let browser = browsers.first { text.contains($0.0) }?.1
        let system = systems.first { text.contains($0.0) }?.1
        let parts = [browser, system].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}
