package import Accounts
package import Foundation
import HTTPTypes
package import Hummingbird
import JSON

extension Response {
    /// An export as a file to download, sent in pieces.
    package static func export(_ file: SpoolFile, of account: UUID) throws -> Response {
        let length = try file.rewind()
        let body = ResponseBody(contentLength: length) { writer in
            while let piece = try file.read() { try await writer.write(ByteBuffer(bytes: piece)) }
            try await writer.finish(nil)
        }
        return Response(
            status: .ok,
            headers: [
                .contentType: "application/json",
                .contentDisposition: "attachment; filename=\"account-\(account.text).json\"",
                .cacheControl: "no-store",
            ],
            body: body)
    }
}
