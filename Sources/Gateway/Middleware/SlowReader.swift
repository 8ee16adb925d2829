import NIOCore

/// Closes a connection whose client asks and does not read.
///
/// What is written waits in memory, up to the channel's high mark; from there the answer waits too, and the framework
/// doesn't count a connection that is being answered as idle. Here every wait has its limit: a reader for whom the system
/// takes no more of us for so long is cut off. One that is slow and goes on may take longer, unless it reads so little
/// that the system's own memory for it lasts longer than that.
final class SlowReader: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny
    typealias InboundOut = NIOAny

    private let patience: TimeAmount
    private var deadline: Scheduled<Void>?

    /// - Parameter patience: how long what waits may wait before some of it is taken.
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
