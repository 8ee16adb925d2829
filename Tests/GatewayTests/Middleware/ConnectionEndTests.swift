import Hummingbird
import JSON
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import HTTPServer

@Suite("The end of an HTTP/1.1 connection", .timeLimit(.minutes(30)))
struct ConnectionEndTests {
    private static let path: HTTPListener.Answer = { request, _ in
        .init(response: .json(["path": .string(request.uri.path)]))
    }
    /// The headers of Java's client and `curl --http2`.
    private static let upgrade = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n"

    @Test(
        "comes with the answer to the last request, for every form of that wish; no later request is answered",
        arguments: [
            "GET /1 HTTP/1.1\r\n\(upgrade)", "GET /1 HTTP/1.1\r\nUpgrade: h2c\r\n", "CONNECT one:443 HTTP/1.1\r\n",
            "GET /1 HTTP/1.0\r\n", "GET /1 HTTP/1.0\r\nConnection: keep-alive\r\n",
            "GET /1 HTTP/1.1\r\nConnection: close\r\n", "GET /1 HTTP/1.1\r\nConnection: Close\r\n",
            "GET /1 HTTP/1.1\r\nConnection: TE, close\r\n",
            "GET /1 HTTP/1.1\r\nConnection: TE\r\nConnection: close\r\n",
        ])
    func last(request: String) async throws {
        let answers = try await PlainListener.run(Self.path) { server in
            try await server.exchange(
                "GET /0 HTTP/1.1\r\nHost: x\r\n\r\n" + request + "Host: x\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\n\r\n")
        }
        #expect(answers.matches(of: /HTTP\/1.1 200 OK/).count == 2)
        #expect(answers.matches(of: /Connection: close/).count == 1)
        #expect(!answers.contains("\"/2\""))
    }

    @Test("does not precede the body of a request for another protocol", arguments: [false, true])
    func body(isChunked: Bool) async throws {
        // Minutes, so that a slow machine does not look like a slow sender.
        let shell = try TestShell(seconds: 300) { router in
            router.post("echo") { request, _ in Response.json(.object(try await JSONBody.changes(request))) }
        }
        let length = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: 7"
        let body = isChunked ? "7\r\n{\"a\":1}\r\n0\r\n\r\n" : "{\"a\":1}"
        let answer = try await PlainListener.run({ await shell.shell.respond(to: $0, from: $1) }) { server in
            try await server.exchange(
                "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n"
                    + "\(Self.upgrade)\(length)\r\n\r\n\(body)")
        }
        #expect(answer.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n"))
        #expect(answer.matches(of: /Connection: close/).count == 1)
        #expect(answer.hasSuffix("\r\n\r\n{\"a\":1}"))
    }

    @Test("ends the body for HTTP/1.0, which gets no interim answer (RFC 9112 section 6.1)")
    func old() async throws {
        let body = ResponseBody { writer in
            try await writer.write(ByteBuffer(string: "long"))
            try await writer.finish(nil)
        }
        let answer = try await PlainListener.run({ _, _ in
            .init(response: Response(status: .ok, body: body))
        }) { server in
            try await server.exchange("POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\nx")
        }
        #expect(answer.hasPrefix("HTTP/1.0 200 OK\r\n"))
        #expect(!answer.lowercased().contains("transfer-encoding"))
        #expect(answer.hasSuffix("\r\n\r\nlong"))
    }

    @Test("works over TLS too")
    func secure() async throws {
        try await SecureListener.run { server in
            let client = try await SecureClient(
                port: server.port, trusting: server.pair.certificate, protocols: ["http/1.1"])
            try await client.send(Array("GET / HTTP/1.1\r\nHost: x\r\n\(Self.upgrade)\r\n".utf8))
            let answer = String(decoding: await client.receiveAll(), as: UTF8.self)
            #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(answer.matches(of: /Connection: close/).count == 1)
        }
    }

    @Test("comes after 3 seconds if the client does not close, and never before the last answer")
    func lingering() throws {
        let channel = try Self.channel()
        try Self.ask([:], on: channel)
        try Self.answer(on: channel)
        try Self.ask(["Connection": "TE, close"], on: channel)
        channel.embeddedEventLoop.advanceTime(by: .hours(1))
        #expect(channel.isActive)
        try Self.answer(on: channel)
        channel.embeddedEventLoop.advanceTime(by: .seconds(2))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
    }

    @Test("comes with a closing refusal of an incomplete request, and no other answer is written")
    func refusal() throws {
        let channel = try Self.channel()
        try channel.writeInbound(HTTPServerRequestPart.head(.init(version: .http1_1, method: .POST, uri: "/")))
        try Self.answer(["Connection": "close"], on: channel)
        try channel.writeInbound(HTTPServerRequestPart.body(ByteBuffer(string: "more")))
        #expect(try Self.arrived(on: channel) == 1)
        #expect(throws: ChannelError.outputClosed) { try Self.answer(on: channel) }
        channel.embeddedEventLoop.advanceTime(by: .seconds(3))
        #expect(!channel.isActive)
    }

    @Test("A-10: prevents that bytes after the last request are read or kept")
    func behind() throws {
        let reads = Reads()
        let channel = try Self.channel(drain: Drain(), reads)
        try Self.ask([:], on: channel)
        channel.read()
        let count = reads.count
        #expect(count > 0)
        try Self.ask(["Upgrade": "h2c", "Connection": "Upgrade"], on: channel)
        channel.read()
        #expect(reads.count == count)
        try Self.ask([:], on: channel)
        #expect(try Self.arrived(on: channel) == 4)
        _ = try channel.finish()
    }

    @Test("A-10: does the same after a refusal, if a request for another protocol stops the decoder")
    func behindRefusal() throws {
        let reads = Reads()
        let channel = try Self.channel(drain: Drain(), reads)
        try channel.writeInbound(HTTPServerRequestPart.head(.init(version: .http1_1, method: .POST, uri: "/")))
        try Self.answer(["Connection": "close"], on: channel)
        try channel.writeInbound(HTTPServerRequestPart.end(nil))
        channel.read()
        let count = reads.count
        #expect(count > 0)
        try Self.ask(["Upgrade": "h2c", "Connection": "Upgrade"], on: channel)
        channel.read()
        #expect(reads.count == count)
        #expect(try Self.arrived(on: channel) == 1)
        _ = try channel.finish()
    }

    @Test("K5: during the drain, each final answer announces the end, and interim answers do not")
    func drained() throws {
        let drain = Drain()
        let channel = try Self.channel(drain: drain)
        try Self.ask([:], on: channel)
        try Self.answer(on: channel)
        #expect(try Self.written(on: channel).map(\.isKeepAlive) == [true])
        try Self.ask([:], on: channel)
        drain.begin()
        try channel.writeOutbound(HTTPServerResponsePart.head(.init(version: .http1_1, status: .continue)))
        try Self.answer(on: channel)
        #expect(try Self.written(on: channel).map { $0.headers["Connection"] } == [[], ["close"]])
        channel.embeddedEventLoop.advanceTime(by: .seconds(3))
        #expect(!channel.isActive)
    }

    @Test("K5: of pipelined requests, the last gets the closing answer")
    func drainedPipeline() throws {
        let drain = Drain()
        let channel = try Self.channel(drain: drain)
        for _ in 0..<3 { try Self.ask([:], on: channel) }
        drain.begin()
        for _ in 0..<3 { try Self.answer(on: channel) }
        #expect(try Self.written(on: channel).map(\.isKeepAlive) == [true, true, false])
        _ = try channel.finish()
    }

    @Test("K5: at the end of the drain, a connection without a request has one second for one")
    func lateRequest() throws {
        for isLate in [false, true] {
            let channel = try Self.channel(drain: Drain())
            try Self.ask([:], on: channel)
            try Self.answer(on: channel)
            channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
            channel.embeddedEventLoop.advanceTime(by: .milliseconds(999))
            #expect(channel.isActive)
            if isLate { try Self.ask([:], on: channel) }
            channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
            #expect(channel.isActive == isLate)
            guard isLate else { continue }
            channel.embeddedEventLoop.advanceTime(by: .hours(1))
            try Self.answer(on: channel)
            #expect(try Self.written(on: channel).map(\.isKeepAlive) == [true, false])
            channel.embeddedEventLoop.advanceTime(by: .seconds(3))
            #expect(!channel.isActive)
        }
    }

    private static func channel(
        drain: Drain = Drain(), _ below: (any ChannelHandler)...
    ) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handlers: below + [ConnectionEnd(drain)])
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/nowhere")).wait()
        return channel
    }

    /// A request without a body.
    private static func ask(_ headers: HTTPHeaders, on channel: EmbeddedChannel) throws {
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/", headers: headers)
        try channel.writeInbound(HTTPServerRequestPart.head(head))
        try channel.writeInbound(HTTPServerRequestPart.end(nil))
    }

    private static func answer(_ headers: HTTPHeaders = [:], on channel: EmbeddedChannel) throws {
        try channel.writeOutbound(
            HTTPServerResponsePart.head(.init(version: .http1_1, status: .ok, headers: headers)))
        try channel.writeOutbound(HTTPServerResponsePart.end(nil))
    }

    /// The heads of answers written since the last call.
    private static func written(on channel: EmbeddedChannel) throws -> [HTTPResponseHead] {
        var heads: [HTTPResponseHead] = []
        while let part = try channel.readOutbound(as: HTTPServerResponsePart.self) {
            if case .head(let head) = part { heads.append(head) }
        }
        return heads
    }

    /// The number of request parts that passed.
    private static func arrived(on channel: EmbeddedChannel) throws -> Int {
        var count = 0
        while try channel.readInbound(as: HTTPServerRequestPart.self) != nil { count += 1 }
        return count
    }
}

/// Counts reads from the network.
private final class Reads: ChannelOutboundHandler {
    typealias OutboundIn = NIOAny

    private(set) var count = 0

    func read(context: ChannelHandlerContext) {
        count += 1
        context.read()
    }
}
