import Foundation
import Hummingbird
import JSON
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Testing

@testable import Gateway

@Suite("The listener", .timeLimit(.minutes(15)))
struct ListenerTests {
    /// Runs a listener on a free port while the body runs.
    private static func withListener<Value: Sendable>(
        idleSeconds: Int64 = 30, _ answer: @escaping HTTPListener.Answer = { _, _ in .init(response: .json(["a": 1])) },
        _ body: @escaping @Sendable (Int) async throws -> Value
    ) async throws -> Value {
        let (ports, found) = AsyncStream<Int>.makeStream()
        var limits = HTTPListener.Limits(maximumConnections: 5_000)
        limits.idleSeconds = idleSeconds
        let listener = HTTPListener(
            host: "127.0.0.1", port: 0, limits: limits, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            answer: answer, onListening: { found.yield($0) })
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await listener.run() }
            var port = 0
            for await found in ports { port = found; break }
            let value = try await body(port)
            group.cancelAll()
            return value
        }
    }

    private static func connect(_ port: Int) async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
        try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture { try NIOAsyncChannel(wrappingChannelSynchronously: channel) }
            }
    }

    /// Sends a text and reads until the far side closes, or resets because it had more of ours to read.
    private static func exchange(_ port: Int, _ text: String) async throws -> String {
        let channel = try await connect(port)
        return try await channel.executeThenClose { inbound, outbound in
            var answer = ""
            do {
                try await outbound.write(ByteBuffer(string: text))
                for try await part in inbound { answer += String(buffer: part) }
            } catch let error as IOError where error.errnoCode == ECONNRESET {
                // Cut off, with something of ours unread.
            } catch ChannelError.ioOnClosedChannel {
                // Cut off before we came to say anything.
            }
            return answer
        }
    }

    @Test("a thousand connections at once are all answered")
    func thousand() async throws {
        let count = try await Self.withListener { port in
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<1_000 {
                    group.addTask {
                        try await Self.exchange(port, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                            .hasPrefix("HTTP/1.1 200 OK\r\n")
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
        }
        #expect(count == 1_000)
    }

    @Test("A-10: a head that never ends is cut off at the idle limit")
    func slowHead() async throws {
        let started = ContinuousClock.now
        let answer = try await Self.withListener(idleSeconds: 1) { port in
            try await Self.exchange(port, "GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ")
        }
        #expect(answer == "")
        #expect(ContinuousClock.now - started < .seconds(90))
    }

    @Test("A-10: a body that stops is cut off at the idle limit")
    func stalledBody() async throws {
        let shell = try TestShell { router in
            router.post("echo") { request, _ in Response.json(.object(try await JSONBody.object(request))) }
        }
        let answer = try await Self.withListener(idleSeconds: 1, shell.shell.respond) { port in
            try await Self.exchange(port, "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{")
        }
        #expect(!answer.contains("200 OK"))
    }

    @Test("after a body that is too large the connection is closed, the answer being readable")
    func closesAfterRefusal() async throws {
        let shell = try TestShell { router in router.post("echo") { _, _ in Response.json([]) } }
        let answer = try await Self.withListener(answer(shell)) { port in
            try await Self.exchange(port, "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 9999999\r\n\r\nxxxx")
        }
        #expect(answer.hasPrefix("HTTP/1.1 413 "))
        #expect(answer.contains("body_too_large"))
    }

    private func answer(_ shell: TestShell) -> HTTPListener.Answer {
        { await shell.shell.respond(to: $0, from: $1) }
    }

    @Test("a port in use is one clear sentence")
    func portInUse() async throws {
        try await Self.withListener { port in
            let second = HTTPListener(
                host: "127.0.0.1", port: port, limits: .init(maximumConnections: 10),
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
                answer: { _, _ in .init(response: .json([])) })
            let error = await #expect(throws: StartError.self) { try await second.run() }
            #expect(error?.description == "Port \(port) on 127.0.0.1 is in use by another program.")
        }
    }
}
