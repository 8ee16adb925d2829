import Hummingbird
import HummingbirdCore
import JSON
import NIOCore
import ServiceLifecycle
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

@Suite("An answer in parts", .timeLimit(.minutes(30)))
struct HTTP1LongAnswerTests {
    private struct Broken: Error {}

    private final class Counter: Sendable {
        private let count = Atomic(0)

        var value: Int { count.load(ordering: .relaxed) }

        func increase() -> Int { count.add(1, ordering: .relaxed).newValue }
    }

    private static let request = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    private static let piece = String(repeating: "x", count: 50_000)

    private static func answer(
        length: Int? = nil, _ write: @escaping @Sendable @concurrent (inout any ResponseBodyWriter) async throws -> Void
    ) -> HTTPListener.Answer {
        { _, _ in .init(response: Response(status: .ok, body: ResponseBody(contentLength: length, write))) }
    }

    @Test("arrives complete, with a length and without", arguments: [nil, 1_000_000])
    func whole(length: Int?) async throws {
        let answer = try await PlainListener.run(
            Self.answer(length: length) { writer in
                for _ in 0..<20 { try await writer.write(ByteBuffer(string: Self.piece)) }
                try await writer.finish(nil)
            }
        ) { try await $0.exchange(Self.request) }
        #expect(answer.count { $0 == "x" } == 1_000_000)
        #expect(answer.hasSuffix(length == nil ? "\r\n0\r\n\r\n" : Self.piece))
    }

    @Test("is cut off at an error")
    func brokenOff() async throws {
        let answer = try await PlainListener.run(
            Self.answer { writer in
                try await writer.write(ByteBuffer(string: Self.piece))
                throw Broken()
            }
        ) { try await $0.exchange(Self.request) }
        #expect(answer.contains(Self.piece))
        #expect(!answer.hasSuffix("\r\n0\r\n\r\n"))
    }

    @Test("ends when its reader disconnects")
    func readerGone() async throws {
        let (errors, ended) = AsyncStream<any Error>.makeStream()
        try await PlainListener.run(
            Self.answer { writer in
                do {
                    while true { try await writer.write(ByteBuffer(string: Self.piece)) }
                } catch {
                    ended.yield(error)
                    throw error
                }
            }
        ) { server in
            try await server.connect().executeThenClose { inbound, outbound in
                try await outbound.write(ByteBuffer(string: Self.request))
                for try await _ in inbound { break }
            }
            for await _ in errors { break }
        }
    }

    @Test("A-10: leaves its event loop to other connections, even if its reader never makes it wait")
    func neighbours() async throws {
        let (piece, pieces) = (ByteBuffer(string: Self.piece), Counter())
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let endless = ResponseBody { writer in
            begin.yield()
            while pieces.increase() < 100_000 { try await writer.write(piece) }
        }
        try await PlainListener.run({ request, _ in
            .init(response: request.head.path == "/endless" ? Response(status: .ok, body: endless) : .json(["a": 1]))
        }) { server in
            let reader = try ChildProcess(
                "/usr/bin/env",
                ["curl", "--silent", "--noproxy", "*", "--output", "/dev/null"]
                    + ["http://127.0.0.1:\(server.port)/endless"])
            for await _ in begun { break }
            // At least one for each event loop.
            for _ in 0..<System.coreCount {
                let answer = try await server.exchange(Self.request)
                #expect(answer.contains(#"{"a":1}"#))
            }
            await reader.kill9()
        }
        // Each piece lets the neighbours advance, and they need few turns.
        #expect(pieces.value < 20_000)
    }

    @Test("observes the stop of the server")
    func stop() async throws {
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let answer = try await PlainListener.run(
            Self.answer { writer in
                let (endless, end) = AsyncStream<Void>.makeStream()
                defer { end.finish() }
                begin.yield()
                for await _ in endless.cancelOnGracefulShutdown() {}
                try await writer.write(ByteBuffer(string: "bye"))
                try await writer.finish(nil)
            }
        ) { server in
            async let answer = server.exchange(Self.request)
            for await _ in begun { break }
            await server.stop()
            return try await answer
        }
        #expect(answer.contains("bye"))
    }

    @Test("makes the next request wait for its end")
    func next() async throws {
        let answers = try await PlainListener.run(
            Self.answer { writer in
                for _ in 0..<3 { try await writer.write(ByteBuffer(string: Self.piece)) }
                try await writer.finish(nil)
            }
        ) { try await $0.exchange("GET / HTTP/1.1\r\nHost: x\r\n\r\n" + Self.request) }
        #expect(answers.count { $0 == "x" } == 300_000)
        #expect(answers.matches(of: /HTTP\/1.1 200 OK/).count == 2)
    }
}
