import HTTPTypes
import Hummingbird
import NIOCore

/// Reads bodies whole before anybody works on them: at most so many bytes, within so much time.
///
/// Every body of this product is small, so handlers never see a stream, and a sender of one byte a second holds nothing
/// but its connection, and that not for long. A sender that stops altogether runs into the connection's idle timeout.
struct BodyLimit: Sendable {
    static let standardBytes = 65_536

    let maximumBytes: Int
    let timeLimit: Duration

    init(maximumBytes: Int = standardBytes, timeLimit: Duration) {
        self.maximumBytes = maximumBytes
        self.timeLimit = timeLimit
    }

    /// Whether a request announces a body.
    static func hasBody(_ headers: HTTPFields) -> Bool {
        if let length = headers.value(.contentLength) { return length != "0" }
        return headers.contains(.transferEncoding)
    }

    /// Whether the sender holds its body back until it is told to go on (RFC 9110 §10.1.1), and announces none that is
    /// too large.
    static func isInvited(_ request: Request) -> Bool {
        guard let expectation = request.headers.value(.expect), expectation.lowercased() == "100-continue" else {
            return false
        }
        return !isTooLarge(request.headers, for: standardBytes)
    }

    private static func isTooLarge(_ headers: HTTPFields, for maximumBytes: Int) -> Bool {
        // The decoder lets digits alone through: what is no `Int` is beyond all of them.
        headers.value(.contentLength).map { (Int($0) ?? .max) > maximumBytes } ?? false
    }

    /// The request with its body in one piece.
    ///
    /// - Throws: ``Problem`` 413, 408 or 400. The rest of the body is then still on its way: the connection has to go.
    func collect(_ request: Request, since start: ContinuousClock.Instant) async throws(Problem) -> Request {
        guard !Self.isTooLarge(request.headers, for: maximumBytes) else { throw .bodyTooLarge }
        var request = request
        request.body = RequestBody(buffer: try await gather(request.body, until: start + timeLimit))
        return request
    }

    /// The body of a request that was collected, or has none.
    ///
    /// It comes in one piece: to ask whether another follows costs as much as to take it.
    static func body(of collected: Request) async throws -> ByteBuffer {
        var pieces = collected.body.makeAsyncIterator()
        return try await pieces.next() ?? ByteBuffer()
    }

    /// Marked `@concurrent` as the framework's iterator is, which must not change hands on the way.
    @concurrent
    private func gather(_ body: RequestBody, until deadline: ContinuousClock.Instant) async throws(Problem)
        -> ByteBuffer
    {
        var gathered = ByteBuffer()
        do {
            for try await chunk in body {
                guard gathered.readableBytes + chunk.readableBytes <= maximumBytes else { throw Problem.bodyTooLarge }
                if gathered.readableBytes == 0 { gathered = chunk } else { gathered.writeImmutableBuffer(chunk) }
                if ContinuousClock.now > deadline { throw Problem.bodyTooSlow }
            }
        } catch {
            throw error as? Problem ?? .malformedRequest("The body's framing is broken.")
        }
        return gathered
    }
}
