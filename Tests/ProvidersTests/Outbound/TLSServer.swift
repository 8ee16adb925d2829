import Foundation

/// A server that speaks TLS, as a process of its own: `Support/tls_server.py` with a certificate made for the test.
final class TLSServer: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// One line of what the server reported.
    struct Event: Decodable, Sendable {
        let event: String
        var verb: String?
        var version: String?
        var encrypted: Bool?
        var sender: String?
        var recipient: String?
        var user: String?
        var lines: [String]?
    }

    let port: Int
    private let process: Process
    private let input: FileHandle
    private let output: FileHandle
    private let buffer = LineBuffer()

    private init(mode: String, certificate: TestCertificate, arguments: [String]) throws {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../Support/tls_server.py").path
        let (inputPipe, outputPipe) = (Pipe(), Pipe())
        process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["python3", script, "--mode", mode, "--certificate", certificate.path, "--key", certificate.keyPath]
            + arguments
        process.standardInput = inputPipe
        process.standardOutput = outputPipe
        (input, output) = (inputPipe.fileHandleForWriting, outputPipe.fileHandleForReading)
        try process.run()
        guard let line = buffer.next(from: output), let port = Int(line) else {
            throw Failure(description: "the TLS test server didn't start: is python3 (Debian: python3) installed?")
        }
        self.port = port
    }

    /// Runs `body` against a server that is gone afterwards.
    @discardableResult
    static func with<T>(
        _ mode: String, certificate: TestCertificate, arguments: [String] = [], _ body: (TLSServer) async throws -> T
    ) async throws -> T {
        let server = try await onOwnThread {
            try TLSServer(mode: mode, certificate: certificate, arguments: arguments)
        }
        defer { server.hangUp() }
        return try await body(server)
    }

    /// Ends the server and answers what it reported.
    func finish() async throws -> [Event] {
        try await onOwnThread { [self] in
            hangUp()
            process.waitUntilExit()
            var events: [Event] = []
            while let line = buffer.next(from: output) {
                events.append(try JSONDecoder().decode(Event.self, from: Data(line.utf8)))
            }
            return events
        }
    }

    /// The server ends when its input does.
    private func hangUp() {
        try? input.close()
    }
}

/// Runs what blocks on a thread of its own: the tests share a pool of as many threads as there are cores.
func onOwnThread<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
    }
}

/// Splits what a pipe delivers into lines; used by one test, from one task.
private final class LineBuffer: @unchecked Sendable {
    private let lock = NSLock()
    private var pending = Data()

    func next(from file: FileHandle) -> String? {
        lock.withLock {
            while true {
                if let end = pending.firstIndex(of: 0x0A) {
                    let line = String(decoding: pending[..<end], as: UTF8.self)
                    pending = Data(pending[(end + 1)...])
                    return line
                }
                let piece = file.availableData
                guard !piece.isEmpty else { return nil }
                pending += piece
            }
        }
    }
}
