import Foundation
import HTTPServer
import Hummingbird
import JSON
import OperatorAccess
import Operators
import Sessions
import Telemetry

/// Statistics of the service and its providers.
extension AdminDoor {
    /// `GET …/providers`.
    @Sendable func listProviders(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.showProviders, request, context) { actor, _ in
            let now = Date()
            let list = try await services.providers.list(by: actor)
            let credentials = services.providers.credentials.all
            return .json([
                "providers": .array(list.map { Self.json($0, at: now) }),
                "credentials": .array(credentials.map { Self.json($0, at: directory.now) }),
            ])
        }
    }

    /// `GET …/overview`: `span` is `day`, `week` or `month`.
    @Sendable func overview(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.showOverview, request, context, parameters: ["span"]) { actor, _ in
            let text = request.uri.queryParameters["span"].map { String($0) } ?? Overview.Span.day.rawValue
            guard let span = Overview.Span(rawValue: text) else {
                throw AdminRefusal.invalidMember(pointer: "/span", reason: "must_be_day_or_week_or_month")
            }
            let table = try await services.overview.table(span, by: actor, now: directory.now)
            return .json([
                "starts": .array(table.starts.map { .string(RFC3339.text($0)) }),
                "counts": .array(table.counts.map(Self.json)),
            ])
        }
    }

    private static func json(_ standing: ProviderDesk.Standing, at now: Date) -> JSON {
        let time: (Date?) -> JSON = { $0.map { .string(RFC3339.text($0)) } ?? .null }
        return [
            "id": .string(standing.id), "name": .string(standing.name), "healthy": .bool(standing.isHealthy),
            "last_success": time(standing.lastSuccess), "last_failure": time(standing.lastFailure),
            "last_failure_reason": standing.lastFailureReason.map(JSON.string) ?? .null,
            "key_set_age_seconds": standing.keySetArrived.map { .integer(Int(now.timeIntervalSince($0))) } ?? .null,
            "sign_ins_last_day": .integer(standing.signIns), "refusals_last_day": .integer(standing.refusals),
            "identities": .integer(standing.identities),
        ]
    }

    private static func json(_ credential: ExpiringCredential, at now: Date) -> JSON {
        [
            "name": .string(credential.name), "kind": .string(credential.kind.rawValue),
            "provider": credential.provider.map(JSON.string) ?? .null,
            "state": .string(credential.state(at: now).rawValue),
            "expires_at": credential.expires.map { .string(RFC3339.text($0)) } ?? .null,
            "note": credential.note.map(JSON.string) ?? .null,
        ]
    }

    private static func json(_ count: Overview.Count) -> JSON {
        [
            "measure": .string(count.measure.rawValue), "step": .integer(count.step),
            "provider": .string(count.provider), "reason": count.reason.map(JSON.string) ?? .null,
            "count": .integer(count.count),
        ]
    }
}
