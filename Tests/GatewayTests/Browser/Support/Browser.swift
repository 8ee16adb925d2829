import Foundation
import JSON
import TestSupport
import Testing

/// A tab of a real browser without cookies, storage or cache of earlier tests, driven through WebDriver.
///
/// Unlike ``PageBrowser``, it implements sites, cookies and scripts. Pages load asynchronously, so every search and
/// expectation repeats until its time is over.
final class Browser: Sendable {
    let session: WebDriverSession
    /// Scheme, host and port of the gateway, for this browser.
    let origin: String

    /// The longest time for a page to reach an expected state.
    static let patience = Duration.seconds(60)

    private init(session: WebDriverSession, origin: String) {
        (self.session, self.origin) = (session, origin)
    }

    /// Runs `body` with a browser, and expects no error on its console.
    static func run(
        _ gateway: GatewayProcess, _ options: BrowserOptions = BrowserOptions(),
        sourceLocation: SourceLocation = #_sourceLocation, _ body: (Browser) async throws -> Void
    ) async throws {
        try await Gate.browsers.hold {
            let running = try await RunningBrowser.take(options)
            do {
                try await run(gateway, options, on: running.session, sourceLocation, body)
                try await running.giveBack()
            } catch {
                await running.end()
                throw error
            }
        }
    }

    private static func run(
        _ gateway: GatewayProcess, _ options: BrowserOptions, on session: WebDriverSession,
        _ sourceLocation: SourceLocation, _ body: (Browser) async throws -> Void
    ) async throws {
        let browser = Browser(session: session, origin: "http://localhost:\(gateway.port)")
        if !options.runsScripts {
            try await session.tools("Emulation.setScriptExecutionDisabled", ["value": true])
        }
        try await body(browser)
        let complaints = try await browser.complaints()
        #expect(complaints == [], sourceLocation: sourceLocation)
    }
}
