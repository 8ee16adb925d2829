import Testing

/// The hosted pages in a real browser: what only a browser knows of sites, cookies, scripts and looks.
@Suite(.gatewayForBrowsers) struct BrowserTests {
    /// A provider of each kind of answer: by a form that it posts, and by a redirect.
    static let kinds = ["apple", "google"]
}
