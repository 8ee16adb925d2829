import NIOCore
import NIOHTTP1

/// Ends a connection of HTTP/1.1 with the answer to its last request (RFC 9112 sections 9.3 and 9.6).
///
/// The framework takes a request for the last where its `Connection` is the word `close` and nothing else. Here it
/// learns of the other ways to say so, of HTTP/1.0, and of requests for another protocol, behind which the decoder
/// reads nothing more. Their clients would wait for an end, or for a next answer, until the connection is closed as
/// idle.
///
/// While the server drains every answer is the last, and at its end a connection without a request is closed after a time
/// in which one that was just being sent is still answered.
final class ConnectionEnd: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// How long whoever has the last answer may take to read it and to close, while what still comes is dropped.
    ///
    /// Closing at once, with bytes unread, would make the kernel throw the answer away.
    private static let patience = TimeAmount.seconds(3)
    /// How long after the end of the drain a request may still come.
    private static let lateRequests = TimeAmount.seconds(1)

    private let drain: Drain

    /// Requests whose answers aren't written to their end.
    private var unanswered = 0
    /// The version of the last request, once that is there.
    private var lastVersion: HTTPVersion?
    private var hasLastRequest = false
    /// Whether the answer that is being written says that it is the last.
    private var isLastAnswer = false
    private var hasLastAnswer = false
    private var deadline: Scheduled<Void>?
    private var endOfDrain: Scheduled<Void>?

    init(_ drain: Drain) {
        self.drain = drain
    }

    /// What comes behind the last request, or still comes of one that was refused with the connection, is dropped.
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

    /// Nothing behind the last request is read: a stopped decoder would keep all of it.
    ///
    /// That the client closes is told without reading.
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

    /// The framework would close at once: behind it, nobody hears of the end of the drain.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is ChannelShouldQuiesceEvent else { return context.fireUserInboundEventTriggered(event) }
        drain.begin()
        endOfDrain = context.eventLoop.assumeIsolated().scheduleTask(in: Self.lateRequests) {
            if self.unanswered == 0, !self.hasLastAnswer { context.close(promise: nil) }
        }
    }

    /// Behind the last answer nothing is passed on, but the decoder may stop with it, and would keep what is read.
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

    /// Keeping a connection of HTTP/1.0 would be allowed where it is asked for, and take a word of its own.
    private static func isLast(_ head: HTTPRequestHead) -> Bool {
        !head.isKeepAlive || head.version == .http1_0 || head.method == .CONNECT
            || head.headers.contains(name: "Upgrade")
    }

    private func write(
        _ head: HTTPResponseHead, _ context: ChannelHandlerContext, _ data: NIOAny, _ promise: EventLoopPromise<Void>?
    ) {
        let isLast = lastVersion != nil || (drain.hasBegun && head.status.code >= 200)
        guard isLast, unanswered == 1 else {
            // A refusal may say by itself that it is the last.
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
        // Nor has it chunks: without a length, the end of the connection is that of the body.
        if isOld, !head.headers.contains(name: "Content-Length") { head.version = .http1_0 }
        isLastAnswer = true
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }

    private func writeEnd(_ context: ChannelHandlerContext, _ data: NIOAny, _ promise: EventLoopPromise<Void>?) {
        unanswered -= 1
        guard isLastAnswer else { return context.write(data, promise: promise) }
        hasLastAnswer = true
        // Counted from where the system has all of it: a slow reader gets a long answer whole.
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
