import NIOCore
import NIOHTTP2

/// Closes an ending HTTP/2 connection within a time limit, but not before its last answer was sent.
///
/// To end a connection, the framework sends GOAWAY and a PING, and waits for the answer without a limit. It does so for
/// an idle connection, and for all of them at a stop. A silent client would keep its connection open and delay the
/// stop.
final class HTTP2Farewell: ChannelDuplexHandler {
    typealias InboundIn = HTTP2Frame
    typealias InboundOut = HTTP2Frame
    typealias OutboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    private let patience: TimeAmount
    private var deadline: Scheduled<Void>?

    /// - Parameter patience: the time limit for the answer to the PING.
    init(patience: TimeAmount) {
        self.patience = patience
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .goAway = unwrapOutboundIn(data).payload, deadline == nil {
            deadline = context.eventLoop.assumeIsolated().scheduleTask(in: patience) {
                context.close(promise: nil)
            }
        }
        context.write(data, promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .ping(_, let isAnswer) = unwrapInboundIn(data).payload else {
            return context.fireChannelRead(data)
        }
        // The codec below answers and limits the client's own pings. The framework above would count them and close the
        // connection after a few, with requests in progress. Browsers send a PING before a request on a quiet
        // connection.
        guard isAnswer else { return }
        deadline?.cancel()
        context.fireChannelRead(data)
    }

    /// Delays the close until the network has the last bytes.
    ///
    /// After GOAWAY, the framework closes as soon as the last stream ends, which is before that.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        context.eventLoop.assumeIsolated().execute {
            context.flush()
            context.close(mode: mode, promise: promise)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        deadline?.cancel()
    }
}
