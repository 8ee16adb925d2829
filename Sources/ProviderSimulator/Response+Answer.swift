import HTTPTypes
import Hummingbird
import JSON
import NIOCore

extension Response {
    init(_ answer: Answer) {
        self.init(
            status: answer.status, headers: answer.completeHeaders,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.bytes)))
    }

    /// Announces the whole body, sends the first half and ends the connection.
    init(breakingOff answer: Answer) {
        let bytes = answer.bytes
        let half = ByteBuffer(bytes: bytes.prefix(bytes.count / 2))
        let body = ResponseBody(contentLength: bytes.count) { writer in
            try await writer.write(half)
            throw BrokenOff()
        }
        self.init(status: answer.status, headers: answer.completeHeaders, body: body)
    }
}

/// Ends a connection on purpose.
private struct BrokenOff: Error {}

extension Answer {
    fileprivate var completeHeaders: HTTPFields {
        var headers = headers
        if let contentType, headers[.contentType] == nil { headers[.contentType] = contentType }
        return headers
    }

    /// The control surface's own refusal.
    static func control(_ error: String, _ description: String, status: HTTPResponse.Status) -> Answer {
        .secret(["error": .string(error), "error_description": .string(description)], status: status)
    }
}

extension ByteBuffer {
    var bytes: [UInt8] { Array(readableBytesView) }
}
