import Foundation
import Glibc
import TestSupport

/// The machine's browser and driver.
struct BrowserPrograms: Sendable {
    let browser: String
    let driver: String

    /// `CHROMIUM` and `CHROMEDRIVER` override those on the `PATH`.
    static func found() throws -> BrowserPrograms {
        BrowserPrograms(
            browser: try path(of: "chromium-headless-shell", variable: "CHROMIUM", package: "chromium-headless-shell"),
            driver: try path(of: "chromedriver", variable: "CHROMEDRIVER", package: "chromium-driver"))
    }

    private static func path(of program: String, variable: String, package: String) throws -> String {
        let environment = ProcessInfo.processInfo.environment
        let named = environment[variable].flatMap { $0.isEmpty ? nil : $0 } ?? program
        let folders = named.contains("/") ? [""] : (environment["PATH"] ?? "").split(separator: ":").map { "\($0)/" }
        let path = folders.map { $0 + named }.first { FileManager.default.isExecutableFile(atPath: $0) }
        guard let path else {
            throw HarnessError(
                "The tests of the hosted pages need \(named), which isn't here: install the package \(package), or name another program in \(variable)."
            )
        }
        return path
    }
}

/// Processes that may have outlived their parent.
enum Leftovers {
    /// Ends every process with this working folder.
    static func end(workingIn folder: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        for id in names.compactMap({ pid_t($0) }) where id != getpid() {
            let place = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(id)/cwd")
            if place == folder { _ = kill(id, SIGKILL) }
        }
    }
}
