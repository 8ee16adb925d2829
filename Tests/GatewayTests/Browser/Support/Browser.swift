import Foundation
import JSON
import TestSupport
import Testing

/// A real browser with its own profile, driven through WebDriver.
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

    /// Runs `body` with a browser, expects no error on its console, and always ends it.
    static func run(
        _ gateway: GatewayProcess, _ options: BrowserOptions = BrowserOptions(),
        sourceLocation: SourceLocation = #_sourceLocation, _ body: (Browser) async throws -> Void
    ) async throws {
        let programs = try BrowserPrograms.found()
        await Gate.browsers.enter()
        do {
            try await withDriver(programs, tries: 3) { port, folder in
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

    /// Runs `body` with a driver on a port of its choice, and a folder.
    ///
    /// - Parameter tries: the driver's IPv4 port may be used for IPv6 by another process, and then it ends.
    private static func withDriver(
        _ programs: BrowserPrograms, tries: Int, _ body: (_ port: Int, _ folder: String) async throws -> Void
    ) async throws {
        let folder = try makeTemporaryFolder()
        // The sanitizers' libraries are only for our own programs.
        let driver = try ChildProcess(
            "/usr/bin/setsid", ["sh", "-c", watch, programs.driver],
            environment: ["HOME": folder, "LD_PRELOAD": ""], folder: folder)
        let result: Result<Void, any Error>
        var hasNoPort = false
        do {
            let port = try await announcedPort(of: driver)
            hasNoPort = port == nil
            if let port { try await body(port, folder) }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await driver.kill9()
        Leftovers.end(workingIn: folder)
        try? FileManager.default.removeItem(atPath: folder)
        guard hasNoPort else { return try result.get() }
        guard tries > 1 else { throw HarnessError("The driver found no port: \(driver.errors)") }
        try await withDriver(programs, tries: tries - 1, body)
    }

    /// Runs the driver, and ends its process group with the browser if the tests are killed.
    private static let watch = """
        "$0" --port=0 &
        while kill -0 $PPID && kill -0 $!; do sleep 1; done 2>/dev/null
        kill -KILL 0
        """

    /// Nil if it ended because of a used port.
    private static func announcedPort(of driver: ChildProcess) async throws -> Int? {
        try await poll(within: .seconds(60)) { () -> Int?? in
            if let code = driver.exitCode {
                guard driver.errors.contains("Address already in use") else {
                    throw HarnessError("The driver ended with \(code): \(driver.errors)")
                }
                return .some(nil)
            }
            let words = "was started successfully on port "
            guard let start = driver.output.range(of: words) else { return nil }
            guard let port = Int(driver.output[start.upperBound...].prefix { $0.isNumber }) else { return nil }
            return port
        }
    }
}
