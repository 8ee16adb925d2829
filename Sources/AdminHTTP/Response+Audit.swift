package import Audit
import Foundation
import HTTPServer
import HTTPTypes
package import Hummingbird
package import JSON
import OperatorAccess
import ServiceLifecycle

extension Response {
    /// Rows of the audit log as a file, batch by batch.
    package static func audit(_ rows: AuditExport, as format: AuditFormat) -> Response {
        let (type, name) =
            format == .csv
            ? ("text/csv; charset=utf-8; header=present", "audit.csv") : ("application/jsonl", "audit.jsonl")
        let body = ResponseBody { writer in
            try await writer.write(ByteBuffer(string: format.opening))
            for try await events in rows { try await writer.write(ByteBuffer(string: format.text(events))) }
            try await writer.finish(nil)
        }
        return Response(
            status: .ok,
            headers: [
                .contentType: type, .contentDisposition: "attachment; filename=\"\(name)\"", .cacheControl: "no-store",
            ], body: body)
    }

    /// Streams new rows of the audit log.
    ///
    /// A comment every second keeps the connection open and detects a lost one.
    ///
    /// - Parameters:
    ///   - place: held until the stream ends.
    ///   - told: the content of the event for each row.
    ///   - check: throws after the receiver lost its permission.
    package static func auditStream(
        _ rows: AuditTail, place: StreamPlaces.Place?,
        _ told: @escaping @Sendable ([AuditEvent]) async throws -> [JSON],
        check: @escaping @Sendable () async throws -> Void
    ) -> Response {
        let body = ResponseBody { writer in
            var beats = 0
            // An id alone is not an event, but the client remembers it.
            if let position = rows.position { try await writer.write(ByteBuffer(string: "id: \(position)\n\n")) }
            do {
                for try await events in rows.cancelOnGracefulShutdown() {
                    beats += 1
                    if beats % 10 == 0 { try await check() }
                    let rows = zip(events, try await told(events.map(\.event)))
                    let text = rows.map { "id: \($0.position)\ndata: \($1.text)\n\n" }.joined()
                    try await writer.write(ByteBuffer(string: text.isEmpty ? ":\n\n" : text))
                }
            } catch is AdminRefusal {
                // An unauthorized listener sees the stream end. The service refuses its next attempt.
            }
            try await writer.finish(nil)
            withExtendedLifetime(place) {}
        }
        // Proxies such as nginx would otherwise hold rows back until a buffer is full.
        return Response(
            status: .ok,
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store", .accelBuffering: "no"], body: body)
    }
}

extension Request {
    /// The last row that a reconnecting listener received; nil for an invalid value.
    package var lastEventID: Int? { headers.value(.lastEventID).flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 } }
}

extension HTTPField.Name {
    fileprivate static let lastEventID = known("Last-Event-ID")
    fileprivate static let accelBuffering = known("X-Accel-Buffering")
}
