import AdminHTTP
import Audit
import Foundation
import HTTPServer
import Hummingbird
import JSON
import OperatorAccess
import Operators

/// The audit log: as pages, as a file, and as a live stream.
extension AdminDoor {
    /// `GET …/audit`: the filters, `cursor`, `limit`.
    @Sendable func showAudit(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let parameters = AuditFilter.names + ["cursor", "limit"]
        return try await answer(.showAudit, request, context, parameters: parameters) { actor, _ in
            let cursor = request.uri.queryParameters["cursor"].map { AuditCursor(String($0)) }
            if case .some(nil) = cursor { throw AdminRefusal.invalidMember(pointer: "/cursor", reason: "malformed") }
            let page = try await services.audit.page(
                AuditFilter(Self.query(request)), before: cursor ?? nil, limit: Self.number(request, "limit") ?? 50,
                by: actor)
            return .json([
                "events": .array(page.events.map(\.json)), "next_cursor": page.next.map { .string($0.text) } ?? .null,
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
            let filter = try Self.filter(try Self.filterTexts(sent))
            let rows = try await services.audit.export(filter, because: Self.reason(sent), by: actor)
            return .audit(rows, as: format)
        }
    }

    /// `GET …/audit/stream`: the filters; new rows as server-sent events (HTML, "Server-sent events").
    ///
    /// `Last-Event-ID` names the last row that the caller received. The stream stops when the operator's role or
    /// session ends.
    @Sendable func streamAudit(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.showAudit, request, context, parameters: AuditFilter.names) { actor, call in
            let place = try (call.sessionID ?? actor.id).map(streams.take)
            let rows = try await services.audit.tail(
                AuditFilter(Self.query(request)), after: request.lastEventID, by: actor)
            return .auditStream(rows, place: place) {
                $0.map(\.json)
            } check: {
                try await services.audit.requireAccess(of: actor)
            }
        }
    }

    /// The members of an export's filter; `views` alone isn't a text.
    private static func filterTexts(_ sent: JSONObject) throws -> [String: String] {
        var sent = sent
        guard var filter = sent["filter"]?.object, let views = filter["views"], !views.isNull else {
            return try sent.texts("filter") ?? [:]
        }
        guard let flag = views.bool else {
            throw AdminRefusal.invalidMember(pointer: "/filter/views", reason: "must_be_true_or_false")
        }
        filter["views"] = .string(String(flag))
        sent["filter"] = .object(filter)
        return try sent.texts("filter") ?? [:]
    }

    /// The filter of an export: a misspelt member would export every row.
    private static func filter(_ texts: [String: String]) throws -> AuditFilter {
        if let unknown = texts.keys.sorted().first(where: { !AuditFilter.names.contains($0) }) {
            throw Problem.invalidMember(
                JSONPointer.text(["filter", unknown]), "unknown_member", accepted: AuditFilter.names)
        }
        return try AuditFilter { texts[$0] }
    }

    private static func query(_ request: Request) -> (String) -> String? {
        { name in request.uri.queryParameters[Substring(name)].map { String($0) } }
    }
}
