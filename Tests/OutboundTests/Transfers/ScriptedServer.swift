import Foundation
import Synchronization

/// A loopback server that answers by its script, including steps that no correct server takes.
final class ScriptedServer: Sendable {
    struct Request: Sendable {
        let head: String
        let body: [UInt8]
        /// The connection, and the request's position on it; both 0-based.
        let connection: Int
        let ordinal: Int

        var target: String {
            String(head.split(separator: " ").dropFirst().first ?? "")
        }

        func header(_ name: String) -> String? {
            let prefix = name.lowercased() + ":"
            return head.components(separatedBy: "\r\n").first { $0.lowercased().hasPrefix(prefix) }
                .map { $0.dropFirst(prefix.count).trimmingCharacters(in: .whitespaces) }
        }
    }

    enum Step: Sendable {
        case send(String)
        /// Sends without end, until the peer disconnects.
        case repeatForever(String)
        /// Sends nothing more until the peer disconnects.
        case hang
        case close
    }

    typealias Script = @Sendable (Request) -> [Step]

    private struct Log {
        var requests: [Request] = []
        var connections: [TestConnection] = []
        var hangs: [Duration] = []
        var isStopped = false
    }

    private let listener = TestListener()
    private let log = Mutex(Log())
    private let script: Script
    /// One element for each request, and one for each ended connection.
    let requestArrived: AsyncStream<Void>
    let connectionEnded: AsyncStream<Void>
    private let signalRequest: AsyncStream<Void>.Continuation
    private let signalEnd: AsyncStream<Void>.Continuation

    var port: Int { listener.port }
    var requests: [Request] { log.withLock { $0.requests } }
    /// The waiting times of the hanging peers, in the order of their disconnection; the server's threads measure them.
    var hangs: [Duration] { log.withLock { $0.hangs } }
    var connectionCount: Int { log.withLock { $0.connections.count } }

    init(_ script: @escaping Script) {
        self.script = script
        (requestArrived, signalRequest) = AsyncStream<Void>.makeStream()
        (connectionEnded, signalEnd) = AsyncStream<Void>.makeStream()
        Thread.detachNewThread { self.acceptAll() }
    }

    /// Runs `body` with a server and stops it.
    static func with<T>(_ script: @escaping Script, _ body: (ScriptedServer) async throws -> T) async throws -> T {
        let server = ScriptedServer(script)
        defer { server.stop() }
        return try await body(server)
    }

    func url(_ path: String = "/") -> String {
        "http://127.0.0.1:\(port)\(path)"
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
            let index: Int? = log.withLock { log in
                guard !log.isStopped else { return nil }
                log.connections.append(connection)
                return log.connections.count - 1
            }
            guard let index else { break }
            Thread.detachNewThread { self.serve(connection, index) }
        }
        listener.close()
    }

    private func serve(_ connection: TestConnection, _ index: Int) {
        var buffer: [UInt8] = []
        var ordinal = 0
        while let request = readRequest(connection, &buffer, index, ordinal), play(request, on: connection) {
            ordinal += 1
        }
        // The descriptor stays reserved until the process ends, so that a late stop() cannot close a reused number.
        connection.stop()
        signalEnd.yield()
    }

    private func play(_ request: Request, on connection: TestConnection) -> Bool {
        log.withLock { $0.requests.append(request) }
        signalRequest.yield()
        for step in script(request) {
            switch step {
            case .send(let text): guard connection.send(Array(text.utf8)) else { return false }
            case .repeatForever(let text): while connection.send(Array(text.utf8)) {}
            case .hang:
                let time = ContinuousClock().measure { connection.waitForPeerToLeave() }
                log.withLock { $0.hangs.append(time) }
                return false
            case .close: return false
            }
        }
        return true
    }

    private func readRequest(
        _ connection: TestConnection, _ buffer: inout [UInt8], _ index: Int, _ ordinal: Int
    ) -> Request? {
        let separator = Array("\r\n\r\n".utf8)
        while true {
            if let end = buffer.firstRange(of: separator) {
                let head = String(decoding: buffer[..<end.lowerBound], as: UTF8.self)
                let bare = Request(head: head, body: [], connection: index, ordinal: ordinal)
                let length = bare.header("Content-Length").flatMap { Int($0) } ?? 0
                if buffer.count >= end.upperBound + length {
                    let body = Array(buffer[end.upperBound..<(end.upperBound + length)])
                    buffer.removeFirst(end.upperBound + length)
                    return Request(head: head, body: body, connection: index, ordinal: ordinal)
                }
            }
            let piece = connection.receive()
            guard !piece.isEmpty else { return nil }
            buffer += piece
        }
    }
}

extension ScriptedServer.Step {
    /// A complete answer with the right length.
    static func answer(_ status: Int = 200, _ body: String = "{}", headers: String = "") -> ScriptedServer.Step {
        .send("HTTP/1.1 \(status) X\r\n\(headers)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }
}
