import NIOCore

/// Closes the connection of a client that does not read its answers.
///
/// Written bytes wait in memory up to the channel's high water mark. Then the answer waits too, and the framework does not
/// treat the connection as idle. This handler limits each wait: it closes the connection if the kernel accepts no bytes
/// for that time. A slow client that keeps reading may take longer.
final class SlowReader: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny
    typealias InboundOut = NIOAny

    private let patience: TimeAmount
    private var deadline: Scheduled<Void>?

    /// - Parameter patience: the longest time without progress.
    init(_ patience: TimeAmount) {
        self.patience = patience
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        deadline?.cancel()
        deadline = nil
        if !context.channel.isWritable {
            let channel = context.channel
            deadline = context.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
        }
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        deadline = nil
        context.fireChannelInactive()
    }
}
