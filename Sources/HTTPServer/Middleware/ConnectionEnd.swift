import NIOCore
import NIOHTTP1

/// Ends a connection of HTTP/1.1 with the answer to its last request (RFC 9112 sections 9.3 and 9.6).
///
/// The framework closes a connection only if `Connection` is exactly `close`. This handler adds the other spellings,
/// HTTP/1.0, and upgrades to another protocol, after which the decoder stops. Otherwise these clients would wait until the
/// idle timeout.
///
/// During a drain every answer closes its connection. At its end, an idle connection stays open for a short time, so that
/// a request already sent is still answered.
final class ConnectionEnd: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// The time for the client to read the last answer and close.
    ///
    /// Further input is dropped.
    ///
    /// If the server closed with unread input, the kernel would discard the answer.
    private static let patience = TimeAmount.seconds(3)
    /// The time after the end of the drain in which a request is still answered.
    private static let lateRequests = TimeAmount.seconds(1)

    private let drain: Drain

    /// The number of unfinished requests.
    private var unanswered = 0
    /// The HTTP version of the last request.
    private var lastVersion: HTTPVersion?
    private var hasLastRequest = false
    /// Whether the current answer announces the end of the connection.
    private var isLastAnswer = false
    private var hasLastAnswer = false
    private var deadline: Scheduled<Void>?
    private var endOfDrain: Scheduled<Void>?

    init(_ drain: Drain) {
        self.drain = drain
    }

    /// Drops input after the last request, and the rest of a request that was refused.
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasLastRequest else { return }
        guard !hasLastAnswer else { return follow(unwrapInboundIn(data)) }
        switch unwrapInboundIn(data) {
        case .head(let head): begin(head, context, data)
        case .body: context.fireChannelRead(data)
        case .end:
            hasLastRequest = lastVersion != nil
            context.fireChannelRead(data)
        }
    }

    /// Stops reading after the last request, because a stopped decoder would buffer all input.
    ///
    /// The close of the client is reported without reading.
    func read(context: ChannelHandlerContext) {
        if !hasLastRequest { context.read() }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !hasLastAnswer else { return drop(promise) }
        switch unwrapOutboundIn(data) {
        case .head(let head): write(head, context, data, promise)
        case .body: context.write(data, promise: promise)
        case .end: writeEnd(context, data, promise)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        deadline?.cancel()
        endOfDrain?.cancel()
    }

    /// Keeps the event from the framework, which would close at once.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is ChannelShouldQuiesceEvent else { return context.fireUserInboundEventTriggered(event) }
        drain.begin()
        endOfDrain = context.eventLoop.assumeIsolated().scheduleTask(in: Self.lateRequests) {
            if self.unanswered == 0, !self.hasLastAnswer { context.close(promise: nil) }
        }
    }

    /// Drops input after the last answer, so that a stopped decoder does not buffer it.
    private func follow(_ part: HTTPServerRequestPart) {
        switch part {
        case .head(let head): if Self.isLast(head) { lastVersion = head.version }
        case .body: break
        case .end: hasLastRequest = lastVersion != nil
        }
    }

    private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext, _ data: NIOAny) {
        unanswered += 1
        guard Self.isLast(head) else { return context.fireChannelRead(data) }
        lastVersion = head.version
        var head = head
        head.headers.replaceOrAdd(name: "Connection", value: "close")
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    /// HTTP/1.0 connections are always closed; the optional `keep-alive` is not supported.
    private static func isLast(_ head: HTTPRequestHead) -> Bool {
        !head.isKeepAlive || head.version == .http1_0 || head.method == .CONNECT
            || head.headers.contains(name: "Upgrade")
    }

    private func write(
        _ head: HTTPResponseHead, _ context: ChannelHandlerContext, _ data: NIOAny, _ promise: EventLoopPromise<Void>?
    ) {
        let isLast = lastVersion != nil || (drain.hasBegun && head.status.code >= 200)
        guard isLast, unanswered == 1 else {
            // A refusal may announce the end itself.
            isLastAnswer = !head.isKeepAlive
            return context.write(data, promise: promise)
        }
        let isOld = lastVersion == .http1_0
        guard head.status.code >= 200 else {
            // HTTP/1.0 has no interim answers (RFC 9110 section 15.2).
            return isOld ? drop(promise) : context.write(data, promise: promise)
        }
        var head = head
        head.headers.replaceOrAdd(name: "Connection", value: "close")
        // HTTP/1.0 has no chunks: without a length, the body ends with the connection.
        if isOld, !head.headers.contains(name: "Content-Length") { head.version = .http1_0 }
        isLastAnswer = true
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }

    private func writeEnd(_ context: ChannelHandlerContext, _ data: NIOAny, _ promise: EventLoopPromise<Void>?) {
        unanswered -= 1
        guard isLastAnswer else { return context.write(data, promise: promise) }
        hasLastAnswer = true
        // The time starts when the kernel has the whole answer, so that a slow reader gets all of it.
        let written = promise ?? context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenSuccess { self.closeSoon(context) }
        context.write(data, promise: written)
    }

    private func closeSoon(_ context: ChannelHandlerContext) {
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: Self.patience) { context.close(promise: nil) }
    }

    private func drop(_ promise: EventLoopPromise<Void>?) {
        promise?.fail(ChannelError.outputClosed)
    }
}
