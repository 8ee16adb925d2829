import Testing

/// The hosted pages in a real browser: sites, cookies, scripts and layout need one.
@Suite(.gatewayForBrowsers) struct BrowserTests {
    /// A provider for each kind of answer: a posted form, and a redirect.
    static let kinds = ["apple", "google"]
}
