import HTTPTypes
package import Hummingbird
package import NIOCore

/// Reads each body completely before its handler runs, with a limit of bytes and time.
///
/// All bodies are small, so handlers never see a stream. A slow sender occupies only its connection, and only until the time
/// limit. A sender that stops meets the connection's idle timeout.
package struct BodyLimit: Sendable {
    static let standardBytes = 65_536

    let timeLimit: Duration

    /// Whether a request announces a body.
    static func hasBody(_ headers: HTTPFields) -> Bool {
        if let length = headers.value(.contentLength) { return length != "0" }
        return headers.contains(.transferEncoding)
    }

    /// Whether the sender waits for `100 Continue` (RFC 9110 §10.1.1) with a body that is not too large.
    static func isInvited(_ request: Request) -> Bool {
        guard let expectation = request.headers.value(.expect), expectation.lowercased() == "100-continue" else {
            return false
        }
        return !isTooLarge(request.headers)
    }

    private static func isTooLarge(_ headers: HTTPFields) -> Bool {
        // The decoder accepts digits only, so a value that is no `Int` is too large.
        headers.value(.contentLength).map { (Int($0) ?? .max) > standardBytes } ?? false
    }

    /// The request with its body in one piece.
    ///
    /// - Throws: ``Problem`` 413, 408 or 400. The caller then closes the connection, because the rest of the body follows.
    func collect(_ request: Request, since start: ContinuousClock.Instant) async throws(Problem) -> Request {
        guard !Self.isTooLarge(request.headers) else { throw .bodyTooLarge }
        var request = request
        request.body = RequestBody(buffer: try await gather(request.body, until: start + timeLimit))
        return request
    }

    /// The body of a collected request, which is one piece; empty without a body.
    package static func body(of collected: Request) async throws -> ByteBuffer {
        var pieces = collected.body.makeAsyncIterator()
        return try await pieces.next() ?? ByteBuffer()
    }

    /// `@concurrent` like the framework's iterator, so that both run on one executor.
    @concurrent
    private func gather(_ body: RequestBody, until deadline: ContinuousClock.Instant) async throws(Problem)
        -> ByteBuffer
    {
        var gathered = ByteBuffer()
        do {
            for try await chunk in body {
                guard gathered.readableBytes + chunk.readableBytes <= Self.standardBytes else {
                    throw Problem.bodyTooLarge
                }
                if gathered.readableBytes == 0 { gathered = chunk } else { gathered.writeImmutableBuffer(chunk) }
                if ContinuousClock.now > deadline { throw Problem.bodyTooSlow }
            }
        } catch {
            throw error as? Problem ?? .malformedRequest("The body's framing is broken.")
        }
        return gathered
    }
}
