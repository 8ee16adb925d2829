import Foundation
import Hummingbird
import JSON
import Logging
import NIOCore
import NIOPosix

@testable import HTTPServer

/// A plain HTTP listener on a free port, without a gateway.
struct PlainListener: Sendable {
    typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    fileprivate let running: RunningListener

    var port: Int { running.port }

    /// Stops the server like SIGTERM.
    func stop() async { await running.stop() }

    /// Runs a listener while the body runs.
    ///
    /// - Parameters:
    ///   - idleSeconds: long enough that only tests about it wait for it.
    ///   - readerSeconds: the same.
    ///   - maximumConnections: enough that only tests about it wait for a place.
    static func run<Value: Sendable>(
        idleSeconds: Int64 = 600, readerSeconds: Int64 = 600, maximumConnections: Int = 5_000, drain: Drain = Drain(),
        _ answer: @escaping HTTPListener.Answer = { _, _ in .init(response: .json(["a": 1])) },
        _ body: @escaping @Sendable (PlainListener) async throws -> Value
    ) async throws -> Value {
        let limits = HTTPListener.Limits(
            maximumConnections: maximumConnections, idleSeconds: idleSeconds, readerSeconds: readerSeconds)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        return try await RunningListener.run(
            { onListening in
                HTTPListener(
                    host: "127.0.0.1", port: 0, publicURL: "http://localhost:8080", limits: limits, drain: drain,
                    logger: logger, answer: answer, onListening: onListening)
            }, logger: logger
        ) { try await body(PlainListener(running: $0)) }
    }

    func connect() async throws -> Connection { try await Self.connect(to: port) }

    static func connect(to port: Int) async throws -> Connection {
        try await ClientBootstrap.patient
            .channelOption(.allowRemoteHalfClosure, value: true)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel(
                        wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
                }
            }
    }

    /// Sends a text and reads until the server closes, or resets the connection with unread bytes.
    func exchange(_ text: String) async throws -> String {
        try await converse { try await $0.write(ByteBuffer(string: text)) }
    }

    /// Writes, and reads until the server closes, or resets the connection with unread bytes.
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
                // Closed with unread bytes of ours.
            } catch ChannelError.ioOnClosedChannel {
                // Closed before the first write.
            }
            return String(buffer: answer)
        }
    }
}
