import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// Answers requests over HTTP/2 within the limits of HTTP/1.1 connections.
///
/// The codec limits one connection: 100 streams at once, 16 KiB of header fields, 200 resets in 30 seconds.
struct HTTP2Streams: Sendable {
    let answer: HTTPListener.Answer
    /// The open streams of all connections together.
    ///
    /// Without this limit each connection could hold 100 times its share.
    let open: LoadShedding
    let maximumFields: Int
    /// The time limit for a stream's body and answer, and for each part of a streamed answer to a slow reader.
    let lifetime: TimeAmount
    let publicURL: String

    /// Marked `@concurrent` like the framework's writer, which must not move to another executor.
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
            ? await outcome(for: request, from: stream.remoteAddress) : refusal(.overloaded, of: request)
        try await writer.write(response: outcome.response.head, body: outcome.response.body.inTurns(deadline.renew))
        if outcome.closesConnection { Self.closeSoon(stream) }
    }

    /// Leaves time to read the answer and drops the rest of the request, as ``ConnectionEnd`` does.
    private static func closeSoon(_ stream: any Channel) {
        stream.eventLoop.scheduleTask(in: .seconds(3)) { stream.close(promise: nil) }
    }

    private func outcome(for request: Request, from address: SocketAddress?) async -> RequestShell.Outcome {
        guard request.headers.count <= maximumFields else {
            return refusal(.headersTooLarge, of: request)
        }
        var outcome = await answer(Self.announcingBody(request), address)
        // HTTP/2 forbids this HTTP/1.1 header (RFC 9113 section 8.2.2). Only the stream ends.
        outcome.response.headers[.connection] = nil
        return outcome
    }

    private func refusal(_ problem: Problem, of request: Request) -> RequestShell.Outcome {
        let response = problem.response(requestID: nil, publicURL: publicURL)
        return .init(response: response.answering(request.method), closesConnection: true)
    }

    /// Adds HTTP/1.1's announcement of a body, as a gateway between the protocols does.
    ///
    /// HTTP/2 needs no announcement. With it, later code that looks for a body finds one, empty if the request has
    /// none.
    private static func announcingBody(_ request: Request) -> Request {
        guard !request.headers.contains(.contentLength) else { return request }
        var head = request.head
        head.headerFields[.transferEncoding] = "chunked"
        return Request(head: head, body: request.body)
    }
}
