import HTTPTypes
import Hummingbird
import JSON
import NIOCore
import NIOHTTP1

/// Answers malformed HTTP/1.1 with a problem document instead of the framework's bare 400.
///
/// It also refuses a request without exactly one `Host` (RFC 9112 section 3.2), and a body whose framing is neither
/// `chunked` alone nor a length. Readers that disagree about the end of a request enable request smuggling.
final class UnreadableRequest: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private static let headers = SecurityHeaders(isPubliclySecure: false)
    private static let problem = Problem.badRequest(
        "This is no request of HTTP/1.1, or names no host or more than one.")

    private let publicURL: String
    private var refusal: Problem?
    /// The client's `X-Request-Id`, if that part of the request was read.
    private var givenID: String?
    /// Whether the method was read and its answer has no body.
    private var isHead = false

    init(publicURL: String) {
        self.publicURL = publicURL
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard refusal == nil else { return }
        guard case .head(let head) = unwrapInboundIn(data), let problem = Self.problem(of: head) else {
            return context.fireChannelRead(data)
        }
        isHead = head.method == .HEAD
        givenID = head.headers["X-Request-Id"].first.flatMap { RequestIDs.isHarmless($0) ? $0 : nil }
        refusal = problem
        errorCaught(context: context, error: HTTPParserError.invalidHeaderToken)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? HTTPParserError, refusal == nil {
            refusal = error == .headerOverflow ? .headersTooLarge : Self.problem
        }
        context.fireErrorCaught(error)
    }

    /// The framework's refusal is recognised by its empty content.
    ///
    /// Answers to earlier requests continue.
    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard let refusal, case .head(let head) = unwrapOutboundIn(data), head.status == .badRequest,
            head.headers["Content-Length"] == ["0"]
        else { return context.write(data, promise: promise) }
        let made = RequestIDs.make()
        let requestID = givenID.map { "\(made).\($0)" } ?? made
        let body = refusal.json(requestID: requestID, publicURL: publicURL).bytes()
        let answer = HTTPResponseHead(
            version: head.version, status: .init(statusCode: refusal.status.code),
            headers: Self.fields(givenID ?? made, length: body.count))
        context.write(wrapOutboundOut(.head(answer)), promise: promise)
        if !isHead { context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil) }
    }

    private static func problem(of head: HTTPRequestHead) -> Problem? {
        let (hosts, codings) = framing(head.headers)
        guard hosts == 1 || (hosts == 0 && head.version == .http1_0) else { return problem }
        guard !codings.isEmpty else { return nil }
        // HTTP/1.0 has no transfer codings, and a coding excludes a length (RFC 9112 section 6.1).
        guard head.version != .http1_0, !head.headers.contains(name: "Content-Length") else { return problem }
        return codings.count == 1 && codings[0].lowercased() == "chunked" ? nil : .transferCodingUnsupported
    }

    /// The number of `Host` headers, and the transfer codings.
    ///
    /// Every request asks, and each look-up by name would read all headers.
    private static func framing(_ headers: HTTPHeaders) -> (hosts: Int, codings: [String]) {
        var (hosts, codings): (Int, [String]) = (0, [])
        for (name, value) in headers {
            switch name.utf8.count {
            case 4 where name.lowercased() == "host": hosts += 1
            case 17 where name.lowercased() == "transfer-encoding": codings.append(value)
            default: break
            }
        }
        return (hosts, codings)
    }

    private static func fields(_ requestID: String, length: Int) -> HTTPHeaders {
        var fields: HTTPFields = [
            .contentType: Problem.contentType, .contentLength: String(length), .connection: "close",
        ]
        headers.apply(to: &fields, requestID: requestID)
        return HTTPHeaders(fields.map { ($0.name.rawName, $0.value) })
    }
}
