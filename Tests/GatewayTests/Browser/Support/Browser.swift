import Foundation
import JSON
import Testing

/// A real browser with a profile of its own, driven through WebDriver.
///
/// It knows what sites, cookies and scripts are, which ``PageBrowser`` doesn't. Whatever a test looks for may still be
/// on its way: everything that finds or expects something asks again until its time is over.
final class Browser: Sendable {
    let session: WebDriverSession
    /// Scheme, host and port of the gateway, as this browser knows it.
    let origin: String

    /// How long a page may take to become what a test expects.
    static let patience = Duration.seconds(20)

    private init(session: WebDriverSession, origin: String) {
        (self.session, self.origin) = (session, origin)
    }

    /// Runs `body` with a browser, expects no complaint on its console, and ends it, whatever happens.
    static func run(
        _ gateway: GatewayProcess, _ options: BrowserOptions = BrowserOptions(),
        sourceLocation: SourceLocation = #_sourceLocation, _ body: (Browser) async throws -> Void
    ) async throws {
        let programs = try BrowserPrograms.found()
        await Gate.browsers.enter()
        do {
            try await withDriver(programs) { port, folder in
                let session = try await WebDriverSession.open(
                    port: port,
                    capabilities: options.capabilities(program: programs.browser, profile: "\(folder)/profile"))
                let browser = Browser(session: session, origin: "http://localhost:\(gateway.port)")
                if !options.runsScripts {
                    try await session.tools("Emulation.setScriptExecutionDisabled", ["value": true])
                }
                try await body(browser)
                let complaints = try await browser.complaints()
                #expect(complaints == [], sourceLocation: sourceLocation)
                try await session.delete()
            }
        } catch {
            await Gate.browsers.leave()
            throw error
        }
        await Gate.browsers.leave()
    }

    /// Runs `body` with a driver that listens on a port of its own choice, and a folder.
    private static func withDriver(
        _ programs: BrowserPrograms, _ body: (_ port: Int, _ folder: String) async throws -> Void
    ) async throws {
        let folder = try makeTemporaryFolder()
        // What a sanitizer wants loaded is for our own programs.
        let driver = try ChildProcess(
            "/usr/bin/setsid", ["sh", "-c", watch, programs.driver],
            environment: ["HOME": folder, "LD_PRELOAD": ""], folder: folder)
        let result: Result<Void, any Error>
        do {
            try await body(try await announcedPort(of: driver), folder)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await driver.kill9()
        Leftovers.end(workingIn: folder)
        try? FileManager.default.removeItem(atPath: folder)
        try result.get()
    }

    /// Runs the driver, and ends it with its browser, which are one process group, should the tests be killed.
    private static let watch = """
        "$0" --port=0 &
        while kill -0 $PPID && kill -0 $!; do sleep 1; done 2>/dev/null
        kill -KILL 0
        """

    private static func announcedPort(of driver: ChildProcess) async throws -> Int {
        try await poll(within: .seconds(60)) {
            if let code = driver.exitCode { throw HarnessError("The driver ended with \(code): \(driver.errors)") }
            let words = "was started successfully on port "
            guard let start = driver.output.range(of: words) else { return nil }
            return Int(driver.output[start.upperBound...].prefix { $0.isNumber })
        }
    }
}
