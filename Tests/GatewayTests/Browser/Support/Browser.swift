import Foundation
import JSON
import TestSupport
import Testing

/// A real browser with its own profile, driven through WebDriver.
///
/// It knows what sites, cookies and scripts are, which ``PageBrowser`` doesn't. Whatever a test looks for may still be
/// on its way: everything that finds or expects something asks again until its time is over.
final class Browser: Sendable {
    let session: WebDriverSession
    /// Scheme, host and port of the gateway, as this browser knows it.
    let origin: String

    /// How long a page may take to become what a test expects.
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
    /// - Parameter tries: the port that it gets for IPv4 may be another's for IPv6, and then it ends.
    private static func withDriver(
        _ programs: BrowserPrograms, tries: Int, _ body: (_ port: Int, _ folder: String) async throws -> Void
    ) async throws {
        let folder = try makeTemporaryFolder()
        // What a sanitizer wants loaded is for our own programs.
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

    /// Runs the driver, and ends it with its browser, which are one process group, should the tests be killed.
    private static let watch = """
        "$0" --port=0 &
        while kill -0 $PPID && kill -0 $!; do sleep 1; done 2>/dev/null
        kill -KILL 0
        """

    /// Nil where it ended because its port is another's.
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
