import NIOCore
import NIOHTTP2

/// Sees to it that a connection that is being ended does end, and not before the last answer is out.
///
/// To end one that is idle, or all of them at a stop, the framework says goodbye with a PING behind it and waits for the
/// answer, however long that takes. A client that keeps silent would keep the connection, and hold up the stop.
final class HTTP2Farewell: ChannelDuplexHandler {
    typealias InboundIn = HTTP2Frame
    typealias InboundOut = HTTP2Frame
    typealias OutboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    private let patience: TimeAmount
    private var deadline: Scheduled<Void>?

    /// - Parameter patience: how long the client may leave the PING unanswered.
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
        // Pings of the client's own are answered, and bounded, by the codec below. The framework above would count them
        // and close after a few, with requests in flight: browsers send one before a request on a quiet connection.
        guard isAnswer else { return }
        deadline?.cancel()
        context.fireChannelRead(data)
    }

    /// Once goodbye is said, the framework closes the moment that the last stream ends, which is before its last bytes
    /// were handed to the network.
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
