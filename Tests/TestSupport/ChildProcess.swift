import Foundation
package import Glibc

/// A program that a test started; it ends with the tests, even after a crash.
///
/// `posix_spawn` instead of Foundation's `Process`, because it inherits only the three standard descriptors. Otherwise
/// another program, started meanwhile, could hold this one's end-of-input or exit pipe open.
package final class ChildProcess: Sendable {
    package let id: pid_t
    /// The working folder.
    package let folder: String
    private let standardOutput: NamelessFile
    private let standardError: NamelessFile
    private let input: ChildInput?
    private let keeper = ChildKeeper()

    /// Starts a program with exactly this environment.
    ///
    /// - Parameters:
    ///   - program: found next to the tests unless it is a path.
    ///   - takesInput: whether ``write(_:)`` reaches it; otherwise its input is empty.
    package init(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], folder: String = "/",
        takesInput: Bool = false
    ) throws {
        self.folder = folder
        (standardOutput, standardError) = (try NamelessFile(), try NamelessFile())
        input = takesInput ? try ChildInput() : nil
        id = try keeper.start(
            ChildSpawn(
                path: Self.path(of: program), arguments: arguments,
                environment: Self.inherited.merging(environment) { $1 }, folder: folder,
                descriptors: (input?.theirs, standardOutput.descriptor, standardError.descriptor)))
        input?.closeTheirs()
    }

    /// The program's standard output so far.
    package var output: String { String(decoding: standardOutput.bytes, as: UTF8.self) }

    /// The complete lines of standard output.
    package var lines: [String] {
        output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    /// Standard output as bytes.
    package var outputBytes: [UInt8] { standardOutput.bytes }

    /// The program's standard error so far.
    package var errors: String { String(decoding: standardError.bytes, as: UTF8.self) }

    /// Nil while it runs; the exit code, or 128 plus the number of the fatal signal.
    package var exitCode: Int? {
        keeper.status.map { $0 & 0x7F == 0 ? Int($0 >> 8 & 0xFF) : 128 + Int($0 & 0x7F) }
    }

    /// Writes to its standard input, unless it has ended.
    package func write(_ bytes: some Sequence<UInt8>) { input?.write(Array(bytes)) }

    /// Ends its standard input.
    package func closeInput() { input?.close() }

    package func send(signal: Int32) { keeper.send(signal: signal) }

    /// Waits for its end; nil if it still runs after that time.
    package func waitForExit(within limit: Duration = .seconds(60)) async -> Int? {
        _ = try? await poll(within: limit) { self.exitCode }
        return exitCode
    }

    /// Sends SIGTERM and returns the exit code.
    @discardableResult
    package func terminate() async -> Int? {
        send(signal: SIGTERM)
        // Longer than any SHUTDOWN_SECONDS of the tests, on a busy machine.
        if let code = await waitForExit(within: .seconds(90)) { return code }
        await kill9()
        return exitCode
    }

    /// Sends SIGKILL and waits for the end.
    package func kill9() async {
        send(signal: SIGKILL)
        _ = await waitForExit()
    }

    /// The variables that sanitizers, coverage and the loader need; the test decides about all others.
    private static var inherited: [String: String] {
        let names = [
            "PATH", "LD_LIBRARY_PATH", "LD_PRELOAD", "ASAN_OPTIONS", "TSAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS",
            "LLVM_PROFILE_FILE",
        ]
        return ProcessInfo.processInfo.environment.filter { names.contains($0.key) }
    }

    private static func path(of program: String) throws -> String {
        guard !program.hasPrefix("/") else { return program }
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let path = URL(filePath: tests).deletingLastPathComponent().appending(path: program).path
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw HarnessError("\(path) isn't there: build the whole package first, with swift build --build-tests.")
        }
        return path
    }
}

package extension ChildProcess {
    /// Runs a program of the system, found in `PATH`, with a time limit.
    ///
    /// - Throws: ``HarnessError`` if it cannot be started or does not end with 0.
    @discardableResult
    static func run(
        _ words: [String], input: [UInt8] = [], within limit: Duration = .seconds(300)
    ) async throws -> [UInt8] {
        let child = try ChildProcess("/usr/bin/env", words, takesInput: true)
        child.write(input)
        child.closeInput()
        let code = await child.waitForExit(within: limit)
        if code == nil { await child.kill9() }
        guard code == 0 else {
            let end = code.map { "ended with \($0)" } ?? "didn't end within \(limit)"
            throw HarnessError("This \(end): \(words.joined(separator: " "))\n\(child.errors)")
        }
        return child.outputBytes
    }
}
