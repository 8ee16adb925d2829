import Hummingbird
import JSON
import NIOCore
import NIOPosix
import Testing

@testable import HTTPServer

/// Clients that exhaust resources: each bound, and that the server keeps serving others.
@Suite("Bounds of TLS and HTTP/2", .timeLimit(.minutes(30)))
struct HTTP2BoundsTests {
    /// Holds requests until it is opened.
    private struct Gate: Sendable {
        private let stream: AsyncStream<Void>
        let open: @Sendable () -> Void

        init() {
            let (stream, continuation) = AsyncStream<Void>.makeStream()
            self.stream = stream
            open = { continuation.finish() }
        }

        /// Requests for `/held` wait; others are answered.
        var answer: HTTPListener.Answer {
            { [stream] request, _ in
                if request.head.path == "/held" { for await _ in stream {} }
                return .init(response: .json(["a": 1]))
            }
        }
    }

    /// Long enough for a handshake on a busy machine, but short enough to wait for.
    private static let shortIdle: Int64 = 30

    private static func limits(
        idle: Int64 = 600, stream: Int64 = 60, connections: Int = 1_000
    ) -> HTTPListener.Limits {
        var limits = SecureListener.limits
        (limits.idleSeconds, limits.readerSeconds, limits.streamSeconds) = (idle, idle, stream)
        limits.maximumConnections = connections
        limits.farewellSeconds = 5
        return limits
    }

    /// Requires that the server still answers another client.
    private static func isWell(_ server: SecureListener) async throws {
        #expect(try await Tool.curl(port: server.port, trusting: server.pair.certificate).status == "HTTP/2 200")
    }

    private static func bare(_ port: Int) async throws -> any Channel {
        try await ClientBootstrap.patient
            .connect(host: "127.0.0.1", port: port).get()
    }

    private static func secure(_ server: SecureListener, _ name: String) async throws -> SecureClient {
        try await SecureClient(port: server.port, trusting: server.pair.certificate, protocols: [name])
    }

    @Test(
        "A-10: a handshake that is not started, or not finished, is cut off at the idle limit",
        arguments: [[], [0x16, 0x03, 0x01, 0x02, 0x00, 0x01]] as [[UInt8]])
    func stalledHandshake(bytes: [UInt8]) async throws {
        try await SecureListener.run(limits: Self.limits(idle: Self.shortIdle)) { server in
            let channel = try await Self.bare(server.port)
            try await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get()
            try await channel.closeFuture.get()
            try await Self.isWell(server)
        }
    }

    @Test("connections in their handshake count, and free their places when they are cut off")
    func handshakesCount() async throws {
        try await SecureListener.run(limits: Self.limits(idle: Self.shortIdle, connections: 2)) { server in
            let silent = try await [Self.bare(server.port), Self.bare(server.port)]
            // Waits in the backlog until one of the two is cut off.
            try await Self.isWell(server)
            for channel in silent { try await channel.closeFuture.get() }
        }
    }

    @Test("A-10: an endless head is cut off over TLS too")
    func slowHead() async throws {
        try await SecureListener.run(limits: Self.limits(idle: Self.shortIdle)) { server in
            let client = try await Self.secure(server, "http/1.1")
            try await client.send(Array("GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ".utf8))
            #expect(await client.receiveAll() == [])
        }
    }

    @Test("an idle connection gets GOAWAY, and is cut if it does not answer", arguments: [true, false])
    func idle(isPolite: Bool) async throws {
        try await SecureListener.run(limits: Self.limits(idle: Self.shortIdle)) { server in
            var client = try await HTTP2Client(server, isPolite: isPolite)
            try await client.request(1)
            #expect(try await client.answer(1).isOK)
            #expect(try await client.next { $0.kind == .goodbye } != nil)
            #expect(try await client.isClosed())
        }
    }

    @Test("a client that negotiates HTTP/2 and sends nothing is cut off")
    func noPreface() async throws {
        try await SecureListener.run(limits: Self.limits(idle: Self.shortIdle)) { server in
            let client = try await Self.secure(server, "h2")
            // At least the server's settings.
            #expect(await client.receiveAll().count >= 9)
            try await Self.isWell(server)
        }
    }

    private static let ping = HTTP2Client.Frame(.ping, Array(repeating: 7, count: 8))

    @Test("pings before requests do not end a connection")
    func pingsBeforeRequests() async throws {
        // The limit allows for a slow machine: a client that sends no request in time is idle, even with pings.
        try await SecureListener.run(limits: Self.limits()) { server in
            var client = try await HTTP2Client(server)
            for number in 0..<10 {
                try await client.send(Self.ping)
                try await client.request(UInt32(2 * number + 1))
                #expect(try await client.answer(UInt32(2 * number + 1)).isOK)
            }
        }
    }

    @Test("pings alone do not keep a connection")
    func pingsAlone() async throws {
        try await SecureListener.run(limits: Self.limits(idle: Self.shortIdle)) { server in
            var client = try await HTTP2Client(server)
            let end = ContinuousClock.now + .seconds(120)
            var last: HTTP2Client.Frame?
            while last?.kind != .goodbye, ContinuousClock.now < end {
                // On a busy machine the connection may be closed before its GOAWAY is read.
                try? await client.send(Self.ping)
                last = try await client.next { $0.kind == .goodbye || $0.kind == .ping && $0.isAnswer }
                // Often enough, but below the codec's flood limit.
                try await Task.sleep(for: .milliseconds(300))
            }
            #expect(last?.kind == .goodbye)
        }
    }

    @Test(
        "one connection has at most 100 concurrent streams, with or without an acknowledgement",
        arguments: [true, false])
    func streamsOfOneConnection(isPolite: Bool) async throws {
        let gate = Gate()
        try await SecureListener.run(gate.answer) { server in
            var client = try await HTTP2Client(server, isPolite: isPolite)
            for number in 0..<101 { try await client.request(UInt32(2 * number + 1), "GET", "/held") }
            let refusal = try await client.next { [.reset, .goodbye, .headers].contains($0.kind) }
            #expect([.reset, .goodbye].contains(refusal?.kind))
            try await Self.isWell(server)
            gate.open()
        }
    }

    @Test("all connections share a limit of streams, and one more is refused temporarily")
    func streamsOfAll() async throws {
        let gate = Gate()
        try await SecureListener.run(limits: Self.limits(connections: 3), gate.answer) { server in
            var (client, other) = (try await HTTP2Client(server), try await HTTP2Client(server))
            for stream: UInt32 in [1, 3, 5] { try await client.request(stream, "GET", "/held") }
            // In order, after the three.
            try await client.request(7)
            #expect(try await !client.answer(7).isOK)
            try await other.request(1)
            let refused = try await other.answer(1)
            #expect(!refused.isOK)
            #expect(try JSON(parsing: refused.text)["code"]?.string == "overloaded")
            gate.open()
            var ended: Set<UInt32> = []
            while ended.count < 3, let frame = try await client.next(where: { $0.endsStream }) {
                ended.insert(frame.stream)
            }
            #expect(ended == [1, 3, 5])
            try await other.request(3)
            #expect(try await other.answer(3).isOK)
        }
    }

    @Test("a cancelled request does not affect others on its connection")
    func reset() async throws {
        let gate = Gate()
        try await SecureListener.run(gate.answer) { server in
            var client = try await HTTP2Client(server)
            for stream: UInt32 in [1, 3] { try await client.request(stream, "GET", "/held") }
            try await client.send(.init(.reset, stream: 1, [0, 0, 0, 8]))
            try await client.request(5)
            #expect(try await client.answer(5).isOK)
            gate.open()
            #expect(try await client.answer(3).isOK)
        }
    }

    @Test("repeatedly opened and reset streams end the connection")
    func rapidReset() async throws {
        let gate = Gate()
        try await SecureListener.run(gate.answer) { server in
            var client = try await HTTP2Client(server)
            let frames = (0..<300).flatMap { number -> [HTTP2Client.Frame] in
                let stream = UInt32(2 * number + 1)
                return [HTTP2Client.asking(stream, "GET", "/held"), .init(.reset, stream: stream, [0, 0, 0, 8])]
            }
            // In one write, because the number within half a minute counts, also on a slow machine. The server may
            // close before it has read all of them.
            try? await client.send(frames)
            #expect(try await client.isClosed())
            try await Self.isWell(server)
            gate.open()
        }
    }

    @Test("A-10: a body that stops is cancelled, and the connection continues")
    func stalledBody() async throws {
        let gate = Gate()
        let shell = try TestShell { router in
            router.post("echo") { request, _ in Response.json(.object(try await JSONBody.changes(request))) }
        }.shell
        let answer: HTTPListener.Answer = {
            $0.head.path == "/held" ? await gate.answer($0, $1) : await shell.respond(to: $0, from: $1)
        }
        try await SecureListener.run(limits: Self.limits(idle: Self.shortIdle), answer) { server in
            var client = try await HTTP2Client(server)
            // A connection with a running request is not idle, even with a slow client.
            try await client.request(1, "GET", "/held")
            try await client.request(3, "POST", "/echo", ends: false)
            try await client.send(.init(.data, stream: 3, Array("{".utf8)))
            let end = try await client.answer(3)
            #expect(!end.isOK)
            #expect(end.last?.kind == .reset)
            let whole = HTTP2Client.asking(
                5, "POST", "/echo", fields: [("content-type", "application/json")], ends: false)
            try await client.send([whole, .init(.data, flags: 1, stream: 5, Array("{}".utf8))])
            #expect(try await client.answer(5).isOK)
            gate.open()
            #expect(try await client.answer(1).isOK)
        }
    }

    @Test("A-10: a client that doesn't read its answers is cut off")
    func slowReader() async throws {
        let large: HTTPListener.Answer = { request, _ in
            let body = ByteBuffer(repeating: 1, count: request.head.path == "/large" ? 1 << 20 : 8)
            return .init(response: Response(status: .ok, body: .init(byteBuffer: body)))
        }
        let started = ContinuousClock.now
        try await SecureListener.run(limits: Self.limits(stream: 1), large) { server in
            // SETTINGS_INITIAL_WINDOW_SIZE of zero: no byte of a body.
            var client = try await HTTP2Client(server, settings: [(4, 0)])
            try await client.request(1, "GET", "/large")
            let end = try await client.answer(1)
            #expect(end.isOK)
            #expect(end.reset != nil)
            try await Self.isWell(server)
        }
        // Far below the idle limit of ten minutes.
        #expect(ContinuousClock.now - started < .seconds(90))
    }

    @Test(
        "invalid HTTP/2 ends only its own connection",
        arguments: [
            // A frame beyond the limit, a stream of the server's side, an invalid HPACK block.
            [0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 1], [0, 0, 1, 1, 5, 0, 0, 0, 2, 0x82], [0, 0, 1, 1, 5, 0, 0, 0, 1, 0xFF],
        ] as [[UInt8]])
    func nonsense(bytes: [UInt8]) async throws {
        try await SecureListener.run { server in
            let client = try await Self.secure(server, "h2")
            try await client.send(HTTP2Client.preface + HTTP2Client.Frame(.settings).bytes + bytes)
            #expect(await client.receiveAll().count >= 9)
            try await Self.isWell(server)
        }
    }

    @Test(
        "a request that HTTP/2 forbids is refused",
        arguments: [
            ("connection", "close"), ("transfer-encoding", "chunked"), ("Upper-Case", "x"), (":path", "/other"),
            ("content-length", "5"),
        ])
    func forbidden(name: String, value: String) async throws {
        try await SecureListener.run { server in
            var client = try await HTTP2Client(server)
            try await client.request(1, fields: [(name, value)])
            #expect(try await !client.answer(1).isOK)
            try await Self.isWell(server)
        }
    }
}
