import Foundation
import Hummingbird
import JSON
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

@testable import Gateway

/// A listener for plain HTTP on a free port, without a gateway behind it.
struct PlainListener: Sendable {
    typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    let port: Int
    fileprivate let group: ServiceGroup

    /// Asks the server to stop, as SIGTERM does.
    func stop() async { await group.triggerGracefulShutdown() }

    /// Runs a listener while the body runs.
    static func run<Value: Sendable>(
        idleSeconds: Int64 = 30, _ answer: @escaping HTTPListener.Answer = { _, _ in .init(response: .json(["a": 1])) },
        _ body: @escaping @Sendable (PlainListener) async throws -> Value
    ) async throws -> Value {
        let (ports, found) = AsyncStream<Int>.makeStream()
        var limits = HTTPListener.Limits(maximumConnections: 5_000)
        limits.idleSeconds = idleSeconds
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let listener = HTTPListener(
            host: "127.0.0.1", port: 0, limits: limits, logger: logger, answer: answer,
            onListening: { found.yield($0) })
        let group = ServiceGroup(
            configuration: .init(services: [.init(service: listener)], gracefulShutdownSignals: [], logger: logger))
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { found.finish() }
                try await group.run()
            }
            for await port in ports {
                let value = try await body(PlainListener(port: port, group: group))
                tasks.cancelAll()
                return value
            }
            try await tasks.waitForAll()
            throw HarnessError("The listener ended before it listened.")
        }
    }

    func connect() async throws -> Connection {
        try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel(
                        wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
                }
            }
    }

    /// Sends a text and reads until the far side closes, or resets because it had more of ours to read.
    func exchange(_ text: String) async throws -> String {
        try await converse { try await $0.write(ByteBuffer(string: text)) }
    }

    /// Says something and reads until the far side closes, or resets because it had more of ours to read.
    func converse(
        _ say: @escaping @Sendable (NIOAsyncChannelOutboundWriter<ByteBuffer>) async throws -> Void
    ) async throws -> String {
        let channel = try await connect()
        return try await channel.executeThenClose { inbound, outbound in
            var answer = ByteBuffer()
            do {
                async let saying: Void = say(outbound)
                for try await part in inbound { answer.writeImmutableBuffer(part) }
                try await saying
            } catch let error as IOError where error.errnoCode == ECONNRESET {
                // Cut off, with something of ours unread.
            } catch ChannelError.ioOnClosedChannel {
                // Cut off before we came to say anything.
            }
            return String(buffer: answer)
        }
    }
}
