import AdminHTTP
import Audit
import Foundation
import HTTPServer
import Hummingbird
import JSON
import OperatorAccess
import Operators
import Pages
import Telemetry

/// The audit log: as pages, and as a file.
extension ConsoleDoor {
    private static let eventsOfPage = 50

    /// `GET /admin/audit`: the filters, `cursor`.
    @Sendable func audit(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.showAudit, request, context, counts: false) { visit in
            let filters = AuditFilterFields { visit.fields[$0] }
            // An invalid cursor shows the first page.
            let cursor = visit.fields["cursor"].flatMap { AuditCursor($0) }
            do {
                let found = try await services.audit.page(
                    AuditFilter(filters.value), before: cursor, limit: Self.eventsOfPage, by: visit.actor)
                web.log.outcomes.count(AdminAction.showAudit.rawValue, provider: nil, outcome: "done")
                let names = try await services.audit.names(of: found.events, by: visit.actor)
                return show(auditPage(filters, found, names, isFirst: cursor == nil, visit), visit.call)
            } catch AdminRefusal.invalidMember(let pointer, let reason, _) {
                web.log.refused(
                    "invalid_request", detail: [Problem.Item.invalid(pointer, reason)].auditDetail,
                    as: AdminAction.showAudit.rawValue, visit.call.logged)
                var filters = filters
                filters.wrong = (String(pointer.dropFirst()), reason)
                return show(
                    auditPage(filters, nil, AuditNames(), isFirst: true, visit), visit.call, status: .badRequest)
            }
        }
    }

    private func auditPage(
        _ filters: AuditFilterFields, _ found: AuditPage?, _ names: AuditNames, isFirst: Bool,
        _ visit: ConsoleVisit
    ) -> AuditLogPage {
        AuditLogPage(
            frame: frame(visit, .audit), filters: filters, events: (found?.events ?? []).map { Facts($0.json) },
            names: names, next: found?.next?.text, isFirst: isFirst, mayExport: visit.mayDo(.exportAudit))
    }

    /// `GET /admin/audit/export`: the filters.
    @Sendable func confirmAuditExport(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.exportAudit, request, context) { visit in
            // A later refusal would lose the typed reason.
            try await services.operators.check(.exportAudit, of: [], by: visit.actor)
            return show(exportPage(visit), visit.call)
        }
    }

    /// `POST /admin/audit/export`: the filters with `format` and `reason`; every row, oldest first.
    @Sendable func exportAudit(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.exportAudit, request, context, back: AuditLogPage.path, counts: false) { visit in
            try await doing(.exportAudit, visit) {
                guard let format = visit.fields["format"].flatMap(AuditFormat.init(rawValue:)) else {
                    throw AdminRefusal.invalidMember(pointer: "/format", reason: "must_be_csv_or_jsonl")
                }
                var filter = try AuditFilter(AuditFilterFields { visit.fields[$0] }.value)
                // A file is evidence: the page's switch must not take rows from it.
                filter.views = true
                return .audit(
                    try await services.audit.export(filter, because: visit.reason(), by: visit.actor), as: format)
            } again: { problem in
                exportPage(visit, problem)
            }
        }
    }

    private func exportPage(_ visit: ConsoleVisit, _ problem: ConsoleRefusal? = nil) -> AuditExportPage {
        AuditExportPage(
            frame: frame(visit, .audit, problem), filters: AuditFilterFields { visit.fields[$0] },
            format: visit.fields["format"] ?? AuditFormat.csv.rawValue, reason: visit.fields["reason"] ?? "")
    }
}
