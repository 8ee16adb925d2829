import JSON

/// The kind of browser for a test.
struct BrowserOptions: Sendable {
    var languages = "en-US,en"
    var runsScripts = true
    var takesThirdPartyCookies = true

    /// The options that a running browser cannot change.
    struct Start: Hashable {
        let languages: String
        let takesThirdPartyCookies: Bool
    }

    var start: Start { Start(languages: languages, takesThirdPartyCookies: takesThirdPartyCookies) }

    /// The capabilities for these options; `profile` is the browser's own folder.
    func capabilities(program: String, profile: String) -> JSON {
        // Both are explicit, because the defaults differ between versions.
        let preferences: JSON = [
            "intl.accept_languages": .string(languages), "credentials_enable_service": false,
            "profile.password_manager_enabled": false,
            "profile.block_third_party_cookies": .bool(!takesThirdPartyCookies),
            "profile.cookie_controls_mode": takesThirdPartyCookies ? 0 : 1,
        ]
        let arguments =
            Self.arguments + [
                "--user-data-dir=\(profile)", "--lang=\(languages.prefix { $0 != "," })", "--accept-lang=\(languages)",
            ]
        return [
            "goog:loggingPrefs": ["performance": "ALL", "browser": "ALL"],
            "goog:chromeOptions": [
                "binary": .string(program), "args": .array(arguments.map(JSON.string)), "prefs": preferences,
            ],
        ]
    }

    /// Options against waits for a display, a graphics card or the network; the sandbox does not run as root.
    private static let arguments = [
        "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--no-first-run",
        "--no-default-browser-check", "--disable-extensions", "--disable-sync", "--disable-background-networking",
        "--disable-component-update", "--disable-default-apps", "--metrics-recording-only", "--no-proxy-server",
        "--hide-scrollbars", "--force-device-scale-factor=1", "--window-size=1280,900",
    ]
}
