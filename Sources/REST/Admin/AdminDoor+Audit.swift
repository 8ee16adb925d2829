import Admin
import Foundation
import HTTPTypes
import Hummingbird
import JSON
import ServiceLifecycle
import Settings

/// The audit log: as pages, as a file, and as a live stream.
extension AdminDoor {
    /// `GET …/audit`: the filters, `cursor`, `limit`.
    @Sendable func showAudit(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.showAudit, request, context) { actor, _ in
            let cursor = request.uri.queryParameters["cursor"].map { AuditCursor(String($0)) }
            if case .some(nil) = cursor { throw AdminRefusal.invalidMember(pointer: "/cursor", reason: "malformed") }
            let page = try await services.audit.page(
                AuditFilter(Self.query(request)), before: cursor ?? nil, limit: Self.number(request, "limit") ?? 50,
                by: actor)
            return .json([
                "events": .array(page.events.map(\.json)), "next": page.next.map { .string($0.text) } ?? .null,
            ])
        }
    }

    /// `POST …/audit/export`: `{format, filter, reason}`; streams every row, oldest first.
    @Sendable func exportAudit(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.exportAudit, request, context) { actor, _ in
            let sent = try await JSONBody.object(request, of: "format", "filter", "reason")
            let name = sent["format"]?.string ?? AuditFormat.csv.rawValue
            guard let format = AuditFormat(rawValue: name) else {
                throw AdminRefusal.invalidMember(pointer: "/format", reason: "must_be_csv_or_jsonl")
            }
            let filter = try Self.filter(try sent.texts("filter") ?? [:])
            let rows = try await services.audit.export(filter, because: Self.reason(sent), by: actor)
            return .audit(rows, as: format)
        }
    }

    /// `GET …/audit/stream`: the filters; new rows as server-sent events (HTML, "Server-sent events").
    ///
    /// `Last-Event-ID` names the last row that the caller received. The stream stops when the operator's role or
    /// session ends.
    @Sendable func streamAudit(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.showAudit, request, context) { actor, call in
            let place = try call.sessionID.map(services.streams.take)
            let rows = try await services.audit.tail(
                AuditFilter(Self.query(request)), after: request.lastEventID, by: actor)
            return .auditStream(rows, place: place) {
                $0.map(\.json)
            } check: {
                try await services.audit.requireAccess(of: actor)
            }
        }
    }

    /// The filter of an export: a misspelt member would export every row.
    private static func filter(_ texts: [String: String]) throws -> AuditFilter {
        if let unknown = texts.keys.sorted().first(where: { !AuditFilter.names.contains($0) }) {
            throw Problem.invalidMember(JSONPointer.text(["filter", unknown]), "unknown_member")
        }
        return try AuditFilter { texts[$0] }
    }

    private static func query(_ request: Request) -> (String) -> String? {
        { name in request.uri.queryParameters[Substring(name)].map { String($0) } }
    }
}

extension Request {
    /// The last row that a reconnecting listener received; nil for an invalid value.
    var lastEventID: Int? { headers.value(.lastEventID).flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 } }
}

extension HTTPField.Name {
    fileprivate static let lastEventID = known("Last-Event-ID")
}

extension AuditFilter {
    fileprivate static let names = [
        "account", "actor", "session", "action", "outcome", "reason", "provider", "client", "address", "request_id",
        "from", "to",
    ]

    /// Reads the filters by their names.
    ///
    /// - Throws: `invalidMember` for an invalid id or time.
    init(_ value: (String) -> String?) throws(AdminRefusal) {
        self.init()
        account = try Self.id("account", value)
        actor = try Self.id("actor", value)
        session = try Self.id("session", value)
        (action, outcome, reason) = (value("action"), value("outcome"), value("reason"))
        (provider, client) = (value("provider"), value("client"))
        address = value("address").map(NetworkAddress.canonical)
        requestID = value("request_id")
        from = try Self.time("from", value)
        to = try Self.time("to", value)
    }

    private static func id(_ name: String, _ value: (String) -> String?) throws(AdminRefusal) -> UUID? {
        guard let text = value(name), !text.isEmpty else { return nil }
        guard let id = UUID(uuidString: text) else { throw .invalidMember(pointer: "/\(name)", reason: "must_be_id") }
        return id
    }

    private static func time(_ name: String, _ value: (String) -> String?) throws(AdminRefusal) -> Date? {
        guard let text = value(name), !text.isEmpty else { return nil }
        guard let time = (try? Date(text, strategy: .iso8601)) ?? (try? Date("\(text)T00:00:00Z", strategy: .iso8601))
        else {
            throw .invalidMember(pointer: "/\(name)", reason: "must_be_time")
        }
        return time
    }
}

extension Response {
    /// Rows of the audit log as a file, batch by batch.
    static func audit(_ rows: AuditExport, as format: AuditFormat) -> Response {
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
    static func auditStream(
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

extension HTTPField.Name {
    fileprivate static let accelBuffering = known("X-Accel-Buffering")
}
