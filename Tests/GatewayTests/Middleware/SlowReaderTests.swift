import Hummingbird
import NIOCore
import NIOEmbedded
import NIOPosix
import Testing

@testable import HTTPServer

@Suite("A client that does not read its answers", .timeLimit(.minutes(30)))
struct SlowReaderTests {
    private static let patience = TimeAmount.seconds(30)

    /// A channel with a full or empty buffer.
    private static func channel() throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handler: SlowReader(patience))
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/nowhere")).wait()
        return channel
    }

    private static func set(_ channel: EmbeddedChannel, isWritable: Bool) {
        channel.isWritable = isWritable
        channel.pipeline.fireChannelWritabilityChanged()
    }

    @Test("is cut off after the limit")
    func patience() throws {
        let channel = try Self.channel()
        Self.set(channel, isWritable: false)
        channel.embeddedEventLoop.advanceTime(by: .seconds(29))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
    }

    @Test("may read slowly")
    func slow() throws {
        let channel = try Self.channel()
        for _ in 0..<10 {
            Self.set(channel, isWritable: false)
            channel.embeddedEventLoop.advanceTime(by: .seconds(29))
            Self.set(channel, isWritable: true)
        }
        channel.embeddedEventLoop.advanceTime(by: .hours(1))
        #expect(channel.isActive)
        _ = try channel.finish()
    }

    @Test("A-10: is cut off, and its answer ends")
    func cutOff() async throws {
        let (errors, ended) = AsyncStream<any Error>.makeStream()
        let body = ResponseBody { writer in
            do {
                while true { try await writer.write(Self.piece) }
            } catch {
                ended.yield(error)
                throw error
            }
        }
        try await PlainListener.run(
            readerSeconds: 1, { _, _ in .init(response: Response(status: .ok, body: body)) }
        ) { server in
            let client = try await Self.client(of: server, requests: 1)
            for await _ in errors { break }
            try? await client.close().get()
        }
    }

    @Test("A-10: is cut off between a thousand answers too, and frees its place")
    func cutOffBetweenAnswers() async throws {
        let (answers, begun) = AsyncStream<Void>.makeStream()
        let body = ResponseBody(contentLength: Self.piece.readableBytes) { writer in
            begun.yield()
            try await writer.write(Self.piece)
            try await writer.finish(nil)
        }
        try await PlainListener.run(
            readerSeconds: 1, maximumConnections: 1, { _, _ in .init(response: Response(status: .ok, body: body)) }
        ) { server in
            let client = try await Self.client(of: server, requests: 1_000)
            for await _ in answers { break }
            // There is only one place, so this answer comes after the other connection has ended.
            let next = try await server.exchange("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            #expect(next.hasPrefix("HTTP/1.1 200 "))
            try? await client.close().get()
        }
    }

    private static let piece = ByteBuffer(repeating: 0x78, count: 50_000)

    /// A client that sends requests and does not read.
    private static func client(of server: PlainListener, requests: Int) async throws -> any Channel {
        let client = try await ClientBootstrap.patient.channelOption(.autoRead, value: false)
            .connect(host: "127.0.0.1", port: server.port).get()
        let request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
        // More than the server reads before its answer, so this write is not awaited.
        client.writeAndFlush(ByteBuffer(string: String(repeating: request, count: requests)), promise: nil)
        return client
    }

    @Test("each part of an answer restarts the time limit of an HTTP/2 stream")
    func streams() throws {
        let stream = try Self.channel()
        let deadline = StreamDeadline(stream, patience: Self.patience)
        for _ in 0..<10 {
            stream.embeddedEventLoop.advanceTime(by: .seconds(29))
            deadline.renew()
        }
        #expect(stream.isActive)
        stream.embeddedEventLoop.advanceTime(by: .seconds(30))
        #expect(!stream.isActive)
    }
}
