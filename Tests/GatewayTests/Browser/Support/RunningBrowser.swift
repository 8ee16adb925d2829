import Foundation
import JSON
import Synchronization
import TestSupport

/// A browser with its driver and its profile.
///
/// A start takes seconds of processor time, so tests use a browser one after the other.
final class RunningBrowser: Sendable {
    let session: WebDriverSession
    private let options: BrowserOptions
    private let driver: ChildProcess

    private init(session: WebDriverSession, options: BrowserOptions, driver: ChildProcess) {
        (self.session, self.options, self.driver) = (session, options, driver)
    }

    /// The browsers that no test has, by what their start fixes.
    private static let idle = Mutex<[BrowserOptions.Start: [RunningBrowser]]>([:])

    /// A running browser without traces of earlier tests, or a new one.
    static func take(_ options: BrowserOptions) async throws -> RunningBrowser {
        if let browser = idle.withLock({ $0[options.start]?.popLast() }) { return browser }
        return try await start(options, tries: 3)
    }

    /// Removes the test's traces, and keeps the browser for the next test.
    func giveBack() async throws {
        try await forget()
        Self.idle.withLock { $0[options.start, default: []].append(self) }
    }

    /// Ends the browser and its driver, and removes the profile.
    func end() async {
        await driver.kill9()
        Leftovers.end(workingIn: driver.folder)
        try? FileManager.default.removeItem(atPath: driver.folder)
    }

    /// A new tab instead of the test's own has no history, emulation or authenticator.
    func forget() async throws {
        let old = try await session.get("window/handles").array ?? []
        let new = try await session.post("window/new", ["type": "tab"])["handle"] ?? .null
        for handle in old {
            try await session.post("window", ["handle": handle])
            try await session.delete("window")
        }
        try await session.post("window", ["handle": new])
        try await session.tools("Network.clearBrowserCookies")
        try await session.tools("Network.clearBrowserCache")
        try await session.tools("Storage.clearDataForOrigin", ["origin": "*", "storageTypes": "all"])
        for log in ["browser", "performance"] { try await session.post("se/log", ["type": .string(log)]) }
    }

    /// - Parameter tries: the driver's IPv4 port may be used for IPv6 by another process, and then it ends.
    private static func start(_ options: BrowserOptions, tries: Int) async throws -> RunningBrowser {
        let programs = try BrowserPrograms.found()
        let folder = try makeTemporaryFolder()
        // The sanitizers' libraries are only for our own programs.
        let driver = try ChildProcess(
            // It outlives the tests for a moment, to end the browser.
            "/usr/bin/setsid", ["setpriv", "--pdeathsig", "clear", "sh", "-c", watch, programs.driver],
            environment: ["HOME": folder, "LD_PRELOAD": ""], folder: folder)
        do {
            if let port = try await announcedPort(of: driver) {
                let session = try await WebDriverSession.open(
                    port: port,
                    capabilities: options.capabilities(
                        program: try opening(programs.browser, in: folder), profile: "\(folder)/profile"))
                return RunningBrowser(session: session, options: options, driver: driver)
            }
            guard tries > 1 else { throw HarnessError("The driver found no port: \(driver.errors)") }
        } catch {
            await driver.kill9()
            Leftovers.end(workingIn: folder)
            try? FileManager.default.removeItem(atPath: folder)
            throw error
        }
        try? FileManager.default.removeItem(atPath: folder)
        return try await start(options, tries: tries - 1)
    }

    /// The path of a program that runs the browser with a page.
    ///
    /// The browser without a window opens none by itself, and the driver would wait for one.
    private static func opening(_ browser: String, in folder: String) throws -> String {
        guard browser.hasSuffix("headless-shell") else { return browser }
        let path = "\(folder)/browser"
        let program = Data("#!/bin/sh\nexec '\(browser)' \"$@\" about:blank\n".utf8)
        guard FileManager.default.createFile(atPath: path, contents: program, attributes: [.posixPermissions: 0o700])
        else { throw HarnessError("\(path) can't be written.") }
        return path
    }

    /// Runs the driver; once the tests have ended, even by a crash, ends it with the browser, and removes the profile.
    private static let watch = """
        "$0" --port=0 &
        while kill -0 $PPID && kill -0 $!; do sleep 1; done 2>/dev/null
        for process in /proc/[0-9]*; do
            [ "$(readlink "$process/cwd")" != "$HOME" ] || [ "$process" = /proc/$$ ] || kill -KILL "${process#/proc/}"
        done
        rm -rf "$HOME"
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
