import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// A server in front of the gateway that lacks one defence, as a careless gateway or proxy would.
///
/// See docs/decisions/0026: the gateway itself has no code for weaknesses.
struct StandIn: Sendable {
    private let gateway: TestClient
    private let weakness: Weakness
    private let memory = Memory()

    /// Runs `body` with the address of a stand-in.
    static func run<Value: Sendable>(
        for gateway: GatewayProcess, _ weakness: Weakness, _ body: @Sendable (String) async throws -> Value
    ) async throws -> Value {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 256)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        let port = server.channel.localAddress?.port ?? 0
        let client = TestClient(port: gateway.port, endsWithBody: true)
        let standIn = StandIn(gateway: client, weakness: weakness)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await standIn.serve(server) }
            let value = try await body("http://127.0.0.1:\(port)")
            group.cancelAll()
            return value
        }
    }

    private func serve(_ server: NIOAsyncChannel<NIOAsyncChannel<ByteBuffer, ByteBuffer>, Never>) async throws {
        try await server.executeThenClose { clients in
            try await withThrowingDiscardingTaskGroup { group in
                for try await client in clients {
                    // A visitor that goes away is no fault of the stand-in.
                    group.addTask { try? await serve(client) }
                }
            }
        }
    }

    private func serve(_ client: NIOAsyncChannel<ByteBuffer, ByteBuffer>) async throws {
        try await client.executeThenClose { inbound, outbound in
            var received: [UInt8] = []
            for try await part in inbound {
                received += Array(part.readableBytesView)
                if let passage = Passage(received, gateway: gateway, memory: memory) {
                    let reply = try await weakness.spoil(passage)
                    return try await outbound.write(ByteBuffer(bytes: reply.bytes))
                }
            }
        }
    }
}

/// What a stand-in remembers of earlier requests.
final class Memory: Sendable {
    private let values = Mutex<[String: String]>([:])

    subscript(_ name: String) -> String? {
        get { values.withLock { $0[name] } }
        set { values.withLock { $0[name] = newValue } }
    }
}

/// A request on its way through the stand-in.
struct Passage: Sendable {
    /// As it arrived; a request that nothing changes leaves so.
    private let original: [UInt8]
    private let gateway: TestClient
    let memory: Memory

    var method: String
    var path: String
    /// Names with percent-encoded values.
    var query: [(name: String, value: String)]
    var headers: [(name: String, value: String)]
    var body: String

    /// Nil until the request is whole.
    init?(_ bytes: [UInt8], gateway: TestClient, memory: Memory) {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        headers = lines.dropFirst().map { line in
            let halves = line.split(separator: ":", maxSplits: 1)
            return (String(halves.first ?? ""), String(halves.last ?? "").trimmingCharacters(in: .whitespaces))
        }
        let length = headers.first { $0.name == "Content-Length" }.flatMap { Int($0.value) } ?? 0
        // A body that never comes whole is announced by a length beyond every limit.
        guard bytes.count >= end.upperBound + length || length > 1 << 20 else { return nil }
        let words = lines[0].split(separator: " ")
        let target = words.dropFirst().first?.split(separator: "?", maxSplits: 1) ?? []
        (method, path) = (String(words.first ?? ""), String(target.first ?? ""))
        query = Self.fields(target.dropFirst().first.map(String.init) ?? "")
        body = String(decoding: bytes[end.upperBound...], as: UTF8.self)
        (original, self.gateway, self.memory) = (bytes, gateway, memory)
    }

    /// Sends the request as it arrived.
    func forward() async throws -> Reply { Reply(try await gateway.sendRaw(original)) }

    /// Sends the request as it is now.
    func forwardChanged() async throws -> Reply {
        let target = query.isEmpty ? path : "\(path)?\(Self.text(query))"
        let kept = headers.filter { $0.name != "Content-Length" }
        let length = method == "GET" ? [] : [(name: "Content-Length", value: "\(body.utf8.count)")]
        let lines = ["\(method) \(target) HTTP/1.1"] + (kept + length).map { "\($0.name): \($0.value)" } + ["", ""]
        return Reply(try await gateway.sendRaw(Array((lines.joined(separator: "\r\n") + body).utf8)))
    }

    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    mutating func setHeader(_ name: String, _ value: String?) {
        headers.removeAll { $0.name == name }
        if let value { headers.append((name, value)) }
    }

    func parameter(_ name: String) -> String? { query.first { $0.name == name }?.value }

    mutating func setParameter(_ name: String, _ value: String?) {
        query.removeAll { $0.name == name }
        if let value { query.append((name, value)) }
    }

    /// Sets a field of a form.
    mutating func setField(_ name: String, _ value: String) {
        body = Self.text(Self.fields(body).filter { $0.name != name } + [(name, value)])
    }

    func field(_ name: String) -> String? { Self.fields(body).first { $0.name == name }?.value }

    private static func fields(_ text: String) -> [(name: String, value: String)] {
        text.split(separator: "&").map { pair in
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(halves[0]), halves.count == 2 ? String(halves[1]) : "")
        }
    }

    private static func text(_ fields: [(name: String, value: String)]) -> String {
        fields.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }
}

/// An answer on its way back.
struct Reply: Sendable {
    var status: Int
    var headers: [(name: String, value: String)] = []
    var body = ""
    /// How often it is sent.
    var copies = 1

    init(_ status: Int, headers: [(name: String, value: String)] = [], _ body: String = "") {
        (self.status, self.headers, self.body) = (status, headers, body)
    }

    init(_ answer: TestAnswer) {
        self.init(answer.status, headers: answer.headers, answer.text)
    }

    mutating func setHeader(_ name: String, _ value: String?) {
        headers.removeAll { $0.name.lowercased() == name.lowercased() }
        if let value { headers.append((name, value)) }
    }

    var bytes: [UInt8] {
        let framing: Set = ["content-length", "transfer-encoding", "connection"]
        let kept = headers.filter { !framing.contains($0.name.lowercased()) }
        let lines =
            ["HTTP/1.1 \(status) X"] + kept.map { "\($0.name): \($0.value)" }
            + ["Content-Length: \(body.utf8.count)", "", body]
        return Array(String(repeating: lines.joined(separator: "\r\n"), count: copies).utf8)
    }
}
