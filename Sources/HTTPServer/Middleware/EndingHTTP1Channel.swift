import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// HTTP/1.1 as the framework speaks it, each connection with its ``ConnectionEnd`` and words for
/// an ``UnreadableRequest``.
struct EndingHTTP1Channel: ClosesUnserved {
    typealias Value = HTTP1Channel.Value

    let base: HTTP1Channel
    /// Once it has begun, every answer closes its connection.
    let drain: Drain
    let publicURL: String

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        base.setup(channel: channel, logger: logger).flatMapThrowing { value in
            let pipeline = channel.pipeline.syncOperations
            // Behind the codec, requests have no version any more.
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            let end = ConnectionEnd(drain)
            try pipeline.addHandler(end, position: .after(decoder))
            try pipeline.addHandler(UnreadableRequest(publicURL: publicURL), position: .after(end))
            return value
        }
    }

    func handle(value: Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }

    func closeUnserved(_ connection: Value) async {
        await base.closeUnserved(connection)
    }
}
