import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// Answers requests over HTTP/2 within the bounds that connections of HTTP/1.1 have.
///
/// The codec bounds one connection: 100 streams at once, 16 KiB of header fields, 200 resets in 30 seconds.
struct HTTP2Streams: Sendable {
    let answer: HTTPListener.Answer
    /// Streams of all connections together: without it each connection would multiply what it may hold by 100.
    let open: LoadShedding
    let maximumFields: Int
    /// How long a stream may take with its body and its answer, and each part of an answer of many to a slow reader.
    let lifetime: TimeAmount

    /// Marked `@concurrent` as the framework's writer is, which must not change hands on the way.
    @concurrent
    func respond(
        to request: Request, with writer: consuming ResponseWriter, on stream: any Channel
    ) async throws {
        let deadline = StreamDeadline(stream, patience: lifetime)
        if BodyLimit.isInvited(request) { try await writer.writeInformationalHead(.init(status: .continue)) }
        let isAdmitted = open.enter()
        defer { if isAdmitted { open.leave() } }
        let outcome =
            isAdmitted
            ? await outcome(for: request, from: stream.remoteAddress) : Self.refusal(.overloaded, of: request)
        try await writer.write(response: outcome.response.head, body: outcome.response.body.inTurns(deadline.renew))
        if outcome.closesConnection { Self.closeSoon(stream) }
    }

    /// Leaves time to read the answer, while what still comes of the request is dropped, as ``ConnectionEnd`` does.
    private static func closeSoon(_ stream: any Channel) {
        stream.eventLoop.scheduleTask(in: .seconds(3)) { stream.close(promise: nil) }
    }

    private func outcome(for request: Request, from address: SocketAddress?) async -> RequestShell.Outcome {
        guard request.headers.count <= maximumFields else {
            return Self.refusal(.malformedRequest("The request has too many header fields."), of: request)
        }
        var outcome = await answer(Self.announcingBody(request), address)
        // A word of HTTP/1.1, which must not be sent here (RFC 9113 section 8.2.2): only the stream ends.
        outcome.response.headers[.connection] = nil
        return outcome
    }

    private static func refusal(_ problem: Problem, of request: Request) -> RequestShell.Outcome {
        .init(response: problem.response(requestID: nil).answering(request.method), closesConnection: true)
    }

    /// A body needs no announcement in HTTP/2, so it gets HTTP/1.1's, as from a gateway between the two: whoever looks
    /// for a body then finds it, and where there is none finds it empty.
    private static func announcingBody(_ request: Request) -> Request {
        guard !request.headers.contains(.contentLength) else { return request }
        var head = request.head
        head.headerFields[.transferEncoding] = "chunked"
        return Request(head: head, body: request.body)
    }
}
