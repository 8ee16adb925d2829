package import HTTPTypes
package import Hummingbird
package import JSON

extension Response {
    /// A JSON answer.
    ///
    /// - Parameters:
    ///   - json: the body.
    ///   - status: the HTTP status.
    ///   - headers: further headers; without `Cache-Control` here, a later step adds `Cache-Control: no-store`.
    package static func json(_ json: JSON, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) -> Response {
        var fields = headers
        fields.append(HTTPField(name: .contentType, value: "application/json"))
        return Response(status: status, headers: fields, body: .init(byteBuffer: ByteBuffer(bytes: json.bytes())))
    }
}
