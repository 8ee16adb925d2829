import Foundation
import Glibc
import JSON
import TestSupport

/// One request of a test, as data.
struct TestRequest: Sendable {
    var method = "GET"
    var path: String
    var headers: [(name: String, value: String)] = []
    var body: [UInt8]?

    init(_ method: String, _ path: String) {
        (self.method, self.path) = (method, path)
    }

    /// With a JSON body.
    func json(_ body: JSON) -> TestRequest {
        header("Content-Type", "application/json").bytes(body.bytes())
    }

    /// With the fields of a form.
    func form(_ fields: [(String, String)]) -> TestRequest {
        let text = fields.map { "\($0.0)=\(Self.encoded($0.1))" }.joined(separator: "&")
        return header("Content-Type", "application/x-www-form-urlencoded").bytes(Array(text.utf8))
    }

    func bearer(_ token: String?) -> TestRequest {
        token.map { header("Authorization", "Bearer \($0)") } ?? self
    }

    func header(_ name: String, _ value: String) -> TestRequest {
        var request = self
        request.headers.append((name, value))
        return request
    }

    /// With any body.
    func bytes(_ body: [UInt8]) -> TestRequest {
        var request = self
        request.body = body
        return request
    }

    private static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            let character = Character(UnicodeScalar(byte))
            return character.isASCII && (character.isLetter || character.isNumber)
                ? String(character) : String(format: "%%%02X", byte)
        }.joined()
    }
}

/// A complete answer.
struct TestAnswer: Sendable {
    let status: Int
    let headers: [(name: String, value: String)]
    let body: [UInt8]
    /// From the first byte sent to the last byte received.
    let duration: Duration

    /// The first header of that name, in any case.
    func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The body; null if it is not JSON.
    var json: JSON {
        (try? JSON(parsing: body, limits: JSONLimits(bytes: 16 << 20, members: 1_000_000, allowsNUL: true))) ?? .null
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The stable code of a problem.
    var code: String? { json["code"]?.string }

    /// The server's request id, as in the audit log and the log, if the client sent none.
    var requestID: String { header("X-Request-Id") ?? "" }
}

/// A small HTTP/1.1 client for tests: any method, one connection and one thread per request, so that fifty requests are
/// truly parallel.
struct TestClient: Sendable {
    let port: Int
    /// The longest silence of the server, in seconds.
    var patience = 150
    /// For a server that keeps the connection despite a request to close it: the answer ends at its length.
    var endsWithBody = false

    func send(_ request: TestRequest) async throws -> TestAnswer {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try exchange(request) })
            }
        }
    }

    /// Sends the given bytes, for requests that no correct client sends.
    func sendRaw(_ bytes: [UInt8]) async throws -> TestAnswer {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try exchange(bytes) })
            }
        }
    }

    private func exchange(_ request: TestRequest) throws -> TestAnswer {
        var head = "\(request.method) \(request.path) HTTP/1.1\r\nHost: localhost:\(port)\r\nConnection: close\r\n"
        for (name, value) in request.headers { head += "\(name): \(value)\r\n" }
        if let body = request.body { head += "Content-Length: \(body.count)\r\n" }
        return try exchange(Array((head + "\r\n").utf8) + (request.body ?? []))
    }

    private func exchange(_ bytes: [UInt8]) throws -> TestAnswer {
        let start = ContinuousClock.now
        let socket = try ClientSocket(port: port, patience: patience)
        defer { socket.close() }
        socket.send(bytes)
        return try AnswerReader.answer(
            in: socket.receiveAll(endsWithBody: endsWithBody), after: ContinuousClock.now - start)
    }
}

/// A blocking connection to a port of this machine.
private struct ClientSocket {
    private let descriptor: Int32

    init(port: Int, patience: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var time = timeval(tv_sec: patience, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, size)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(port).bigEndian
        let connection = descriptor
        let code = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                unsafe connect(connection, generic, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else {
            _ = Glibc.close(descriptor)
            throw HarnessError("Nobody listens on port \(port): error \(errno).")
        }
    }

    /// Stops silently when the server closes.
    func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = Array(rest)
            let count = unsafe Glibc.send(descriptor, piece, piece.count, Int32(MSG_NOSIGNAL))
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    func receiveAll(endsWithBody: Bool) -> [UInt8] {
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var end = Int?.none
        while true {
            if endsWithBody {
                end = end ?? AnswerReader.end(of: received)
                if let end, received.count >= end { return received }
            }
            let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return received }
            received += buffer[..<count]
        }
    }

    func close() {
        _ = Glibc.close(descriptor)
    }
}

/// Parses an HTTP/1.1 answer (RFC 9112) that ended with its connection.
private enum AnswerReader {
    /// The length of an answer with this beginning; nil if it is not stated, or not yet.
    static func end(of bytes: [UInt8]) -> Int? {
        guard let end = firstIndex(of: Array("\r\n\r\n".utf8), in: bytes[...]) else { return nil }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).components(separatedBy: "\r\n")
        let length = lines.compactMap(header).first { $0.name.lowercased() == "content-length" }
        return length.flatMap { Int($0.value) }.map { end + 4 + $0 }
    }

    static func answer(in bytes: [UInt8], after duration: Duration) throws -> TestAnswer {
        guard let end = firstIndex(of: Array("\r\n\r\n".utf8), in: bytes[...]) else {
            throw HarnessError("No answer came, only \(bytes.count) bytes.")
        }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).components(separatedBy: "\r\n")
        guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw HarnessError("The answer has no status.")
        }
        let headers = lines.dropFirst().compactMap(header)
        let rest = bytes[(end + 4)...]
        let isChunked = headers.contains {
            $0.name.lowercased() == "transfer-encoding" && $0.value.lowercased() == "chunked"
        }
        return TestAnswer(
            status: status, headers: headers, body: isChunked ? try unchunked(rest) : Array(rest), duration: duration)
    }

    private static func header(_ line: String) -> (name: String, value: String)? {
        guard let colon = line.firstIndex(of: ":") else { return nil }
        return (String(line[..<colon]), line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces))
    }

    private static func unchunked(_ bytes: ArraySlice<UInt8>) throws -> [UInt8] {
        var (rest, body) = (bytes, [UInt8]())
        while let end = firstIndex(of: [13, 10], in: rest) {
            let digits = String(decoding: rest[rest.startIndex..<end], as: UTF8.self).prefix { $0.isHexDigit }
            guard let size = Int(digits, radix: 16), rest.distance(from: end, to: rest.endIndex) >= size + 4 else {
                break
            }
            if size == 0 { return body }
            body += rest[(end + 2)..<(end + 2 + size)]
            rest = rest[(end + 4 + size)...]
        }
        throw HarnessError("The answer breaks off.")
    }

    private static func firstIndex(of pattern: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count >= pattern.count else { return nil }
        return (bytes.startIndex...(bytes.endIndex - pattern.count)).first { start in
            pattern.indices.allSatisfy { bytes[start + $0] == pattern[$0] }
        }
    }
}
