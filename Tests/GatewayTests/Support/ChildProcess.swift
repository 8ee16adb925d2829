import Foundation
import Glibc
import Synchronization

/// A program that a test started.
///
/// Its output goes into files of its working folder.
///
/// `posix_spawn` rather than Foundation's `Process`: nothing is inherited but the three standard descriptors, so that no
/// program started meanwhile by another test can keep this one from being seen to end.
final class ChildProcess: Sendable {
    let id: pid_t
    /// The working folder; `stdout` and `stderr` are files in it.
    let folder: String
    private let name: String
    private let status = Mutex<Int32?>(nil)

    /// Starts `program`, found beside the tests unless it is a path, with exactly this environment.
    init(_ program: String, _ arguments: [String], environment: [String: String], folder: String) throws {
        let path = try Self.path(of: program)
        let variables = Self.inherited.merging(environment) { $1 }.map { "\($0.key)=\($0.value)" }
        self.folder = folder
        // A second program in one folder doesn't write over the first one's output.
        name = "\(program.split(separator: "/").last ?? "")-\(UInt32.random(in: 0 ... .max))"
        id = try Self.spawn(path, arguments, variables, folder: folder, output: "\(folder)/\(name)")
        Thread.detachNewThread { [self] in reap() }
    }

    /// What the program has written to standard output so far.
    var output: String { text("stdout") }

    /// What the program has written to standard error so far.
    var errors: String { text("stderr") }

    /// Nil while it runs; the exit code, or 128 and the number of the signal that ended it.
    var exitCode: Int? {
        status.withLock { status in
            status.map { $0 & 0x7F == 0 ? Int($0 >> 8 & 0xFF) : 128 + Int($0 & 0x7F) }
        }
    }

    func send(signal: Int32) {
        status.withLock { status in
            // Not after its end: the number may be somebody else's by then.
            if status == nil { _ = kill(id, signal) }
        }
    }

    /// Waits for its end; nil when it still runs after that time.
    func waitForExit(within limit: Duration = .seconds(60)) async -> Int? {
        _ = try? await poll(within: limit) { self.exitCode }
        return exitCode
    }

    /// SIGTERM, and the exit code that came of it.
    @discardableResult
    func terminate() async -> Int? {
        send(signal: SIGTERM)
        // Longer than any SHUTDOWN_SECONDS of the tests, on a machine that does much besides.
        if let code = await waitForExit(within: .seconds(90)) { return code }
        await kill9()
        return exitCode
    }

    /// SIGKILL, and the end of it.
    func kill9() async {
        send(signal: SIGKILL)
        _ = await waitForExit()
    }

    private func text(_ kind: String) -> String {
        (try? String(contentsOfFile: "\(folder)/\(name).\(kind)", encoding: .utf8)) ?? ""
    }

    private func reap() {
        var status: Int32 = 0
        while unsafe waitpid(id, &status, 0) < 0, errno == EINTR {}
        let ended = status
        self.status.withLock { $0 = ended }
    }

    /// What sanitizers and the loader need; everything else the test decides.
    private static var inherited: [String: String] {
        let names = [
            "PATH", "LD_LIBRARY_PATH", "LD_PRELOAD", "ASAN_OPTIONS", "TSAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS",
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

    private static func spawn(
        _ path: String, _ arguments: [String], _ variables: [String], folder: String, output: String
    ) throws -> pid_t {
        // The shell changes into the folder and becomes the program.
        let script = ["sh", "-c", "cd \"$0\" && exec \"$@\"", folder, path] + arguments
        let words = unsafe script.map { unsafe strdup($0) }
        let variables = unsafe variables.map { unsafe strdup($0) }
        defer { unsafe (words + variables).forEach { unsafe free($0) } }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, 1, output + ".stdout", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        unsafe posix_spawn_file_actions_addopen(&actions, 2, output + ".stderr", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        for descriptor in 3..<min(getdtablesize(), 4_096) {
            unsafe posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        var id: pid_t = 0
        let code = unsafe posix_spawn(&id, "/bin/sh", &actions, nil, words + [nil], variables + [nil])
        guard code == 0 else { throw HarnessError("\(path) can't be started: error \(code).") }
        return id
    }
}

/// What went wrong with the surroundings of a test, in a sentence.
struct HarnessError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Asks again every few milliseconds until there is an answer or the time is over.
///
/// - Throws: ``HarnessError`` when the time is over.
func poll<Value>(
    within limit: Duration = .seconds(60), every pause: Duration = .milliseconds(10), _ ask: () async throws -> Value?
) async throws -> Value {
    let end = ContinuousClock.now + limit
    while true {
        if let value = try await ask() { return value }
        guard ContinuousClock.now < end else { throw HarnessError("Nothing came within \(limit).") }
        try await Task.sleep(for: pause)
    }
}

/// A folder of a test's own, mode 700.
func makeTemporaryFolder() throws -> String {
    let path = "/tmp/gateway-test-\(String(UInt64.random(in: .min ... .max), radix: 36))"
    try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    return path
}
