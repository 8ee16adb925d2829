package import HTTPTypes
package import Hummingbird
import NIOCore

/// A body that is compressed once and sent many times.
///
/// Only for bodies without secrets and without text of the request. The length of a compressed answer shows an
/// eavesdropper whether such a text repeats a secret next to it (BREACH). So pages with forms, which contain a form
/// token, and answers with tokens or personal data are never compressed.
package struct StoredBody: Sendable {
    let plain: ByteBuffer
    /// Nil if compression doesn't shorten it.
    let gzip: ByteBuffer?

    package init(_ bytes: [UInt8]) {
        plain = ByteBuffer(bytes: bytes)
        gzip = Gzip.compressed(bytes).flatMap { $0.count < bytes.count ? ByteBuffer(bytes: $0) : nil }
    }

    /// The answer in the coding that the request accepts.
    package func response(to request: Request, headers: HTTPFields) -> Response {
        var headers = headers
        guard let gzip else { return Response(status: .ok, headers: headers, body: .init(byteBuffer: plain)) }
        headers.append(HTTPField(name: .vary, value: "Accept-Encoding"))
        guard request.headers.acceptsGzip else {
            return Response(status: .ok, headers: headers, body: .init(byteBuffer: plain))
        }
        headers[.contentEncoding] = "gzip"
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: gzip))
    }
}
