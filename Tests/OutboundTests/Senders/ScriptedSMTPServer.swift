import Foundation
import Synchronization

/// A loopback SMTP server without TLS, with a scripted answer to each command.
final class ScriptedSMTPServer: Sendable {
    enum Stage: String, Sendable, CaseIterable {
        case greeting, ehlo, mail, rcpt, data
        /// After the final dot.
        case message
    }

    enum Reply: Sendable {
        case say(String)
        case drop
        case hang
    }

    private struct Log {
        var commands: [String] = []
        var messages: [[String]] = []
        var connections: [TestConnection] = []
        var isStopped = false
    }

    private static let normal: [Stage: String] = [
        .greeting: "220 test ESMTP", .ehlo: "250-test\r\n250 8BITMIME", .mail: "250 fine", .rcpt: "250 fine",
        .data: "354 go on", .message: "250 taken",
    ]

    private let listener = TestListener()
    private let replies: [Stage: Reply]
    private let log = Mutex(Log())

    var port: Int { listener.port }
    var commands: [String] { log.withLock { $0.commands } }
    /// The lines of each message, without doubled dots.
    var messages: [[String]] { log.withLock { $0.messages } }

    init(_ replies: [Stage: Reply] = [:]) {
        self.replies = replies
        Thread.detachNewThread { self.acceptAll() }
    }

    static func with<T>(
        _ replies: [Stage: Reply] = [:], _ body: (ScriptedSMTPServer) async throws -> T
    ) async throws -> T {
        let server = ScriptedSMTPServer(replies)
        defer { server.stop() }
        return try await body(server)
    }

    func stop() {
        listener.stop()
        log.withLock { log in
            log.isStopped = true
            for connection in log.connections { connection.stop() }
        }
    }

    private func acceptAll() {
        while let connection = listener.accept() {
            let isWanted = log.withLock { log in
                log.connections.append(connection)
                return !log.isStopped
            }
            guard isWanted else { break }
            Thread.detachNewThread { self.serve(connection) }
        }
        listener.close()
    }

    private func serve(_ connection: TestConnection) {
        var buffer: [UInt8] = []
        var isOpen = reply(.greeting, connection)
        while isOpen, let line = readLine(connection, &buffer) {
            log.withLock { $0.commands.append(line) }
            switch line.prefix(4).uppercased() {
            case "EHLO", "HELO": isOpen = reply(.ehlo, connection)
            case "MAIL": isOpen = reply(.mail, connection)
            case "RCPT": isOpen = reply(.rcpt, connection)
            case "DATA": isOpen = reply(.data, connection) && takeMessage(connection, &buffer)
            case "QUIT":
                connection.send(Array("221 bye\r\n".utf8))
                isOpen = false
            default: isOpen = connection.send(Array("500 what?\r\n".utf8))
            }
        }
        connection.stop()
    }

    private func takeMessage(_ connection: TestConnection, _ buffer: inout [UInt8]) -> Bool {
        if case .say(let text) = replies[.data], !text.hasPrefix("3") { return true }
        var lines: [String] = []
        while let line = readLine(connection, &buffer), line != "." {
            lines.append(line.hasPrefix(".") ? String(line.dropFirst()) : line)
        }
        log.withLock { $0.messages.append(lines) }
        return reply(.message, connection)
    }

    private func reply(_ stage: Stage, _ connection: TestConnection) -> Bool {
        switch replies[stage] ?? .say(ScriptedSMTPServer.normal[stage] ?? "250 fine") {
        case .say(let text): return connection.send(Array((text + "\r\n").utf8))
        case .drop: return false
        case .hang:
            connection.waitForPeerToLeave()
            return false
        }
    }

    private func readLine(_ connection: TestConnection, _ buffer: inout [UInt8]) -> String? {
        while true {
            if let end = buffer.firstRange(of: [0x0D, 0x0A]) {
                let line = String(decoding: buffer[..<end.lowerBound], as: UTF8.self)
                buffer.removeFirst(end.upperBound)
                return line
            }
            let piece = connection.receive()
            guard !piece.isEmpty else { return nil }
            buffer += piece
        }
    }
}
