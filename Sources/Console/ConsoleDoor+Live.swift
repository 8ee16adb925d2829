import AdminHTTP
import Audit
import Foundation
import HTTPServer
import Hummingbird
import JSON
import OperatorAccess
import Operators
import Pages
import Sessions
import Telemetry
import Vocabulary

/// The audit log as a live stream.
extension ConsoleDoor {
    /// `GET /admin/audit/live`: the filters.
    @Sendable func live(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.showAudit, request, context) { visit in
            let filters = AuditFilterFields { visit.fields[$0] }
            // The page shows a refusal here; the script's request for rows could not show it.
            _ = try AuditFilter(filters.value)
            return show(AuditLivePage(frame: frame(visit, .audit), filters: filters), visit.call)
        }
    }

    /// `GET /admin/audit/live/rows`: the filters; new rows as server-sent events, as the page shows them.
    ///
    /// A script calls this, so a refusal is a problem without a redirect. The stream stops when the operator's role or
    /// session ends.
    @Sendable func liveRows(_ request: Request, _ context: GatewayContext) async throws -> Response {
        var call = WebCall(AdminAction.showAudit.rawValue, request, context, web.forms)
        return try await web.log.answer(&call) { call in
            try await streamed(request, &call)
        } refusing: { error, _ in
            guard let problem = Self.problem(error) else { throw error }
            return RefusedCall(problem.code, of: error as? Rejection) { _ in throw problem }
        }
    }

    private func streamed(_ request: Request, _ call: inout WebCall) async throws -> Response {
        guard !FetchMetadata.isForeign(request.headers, ownOrigin: web.ownOrigin) else {
            throw WebRefusal(code: "form_not_bound")
        }
        let fields = try web.query(request)
        web.speak(fields["ui_locales"], &call)
        _ = try await web.demandedSession(&call)
        guard let session = try await session(&call) else { throw Rejection.sessionEnded() }
        let actor = AdminActor.session(account: session.facts.account, session: session.facts.session, call.caller)
        let filter = try AuditFilter(AuditFilterFields { fields[$0] }.value)
        let audit = services.audit
        let place = try streams.take(session.facts.session)
        let tail = try await audit.tail(filter, after: request.lastEventID, by: actor)
        let (words, locales, providerName) = (
            try web.renderer.messages.console(call.language), call.locales, providerName
        )
        return .auditStream(tail, place: place) { events in
            let names = try await audit.names(of: events, by: actor)
            return events.map { event in
                AuditLiveRow(
                    event: Facts(event.json), names: names, words: words, locales: locales, providerName: providerName
                ).json
            }
        } check: {
            try await audit.requireAccess(of: actor)
        }
    }

    private static func problem(_ error: any Error) -> Problem? {
        switch error {
        case let refusal as AdminRefusal: Problem(refusal)
        case let problem as Problem: problem
        default: WebRefusal(error).map { Problem($0.status, code: $0.code, title: ErrorCatalogue[$0.code]?.title) }
        }
    }
}
