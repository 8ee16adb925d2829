import Foundation
import TestSupport

/// zbar, which reads QR codes like a camera app.
enum QRReader {
    /// The text of the QR code in a picture.
    static func read(_ picture: Data) async throws -> String {
        let program = try path()
        let folder = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try picture.write(to: URL(filePath: "\(folder)/page.png"))
        let reader = try ChildProcess(
            program, ["--quiet", "--raw", "\(folder)/page.png"], environment: [:], folder: folder)
        let code = try await poll(within: .seconds(30)) { reader.exitCode }
        guard code == 0 else { throw HarnessError("zbarimg read no code and ended with \(code): \(reader.errors)") }
        return reader.output.trimmingCharacters(in: .newlines)
    }

    private static func path() throws -> String {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let path = folders.map { "\($0)/zbarimg" }.first { FileManager.default.isExecutableFile(atPath: $0) }
        return try path.orThrow("The tests of QR codes need zbarimg, which isn't here: install the package zbar-tools.")
    }
}
