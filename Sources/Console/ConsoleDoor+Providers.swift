import Foundation
import HTTPServer
import Hummingbird
import OperatorAccess
import Operators
import Pages
import Sessions
import Telemetry

/// Statistics of the providers.
extension ConsoleDoor {
    /// `GET /admin/providers`.
    @Sendable func providers(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.showProviders, request, context) { visit in
            let now = Date()
            let list = try await services.providers.list(by: visit.actor)
            return show(
                ProvidersPage(
                    frame: frame(visit, .providers), entries: list.map { Self.entry($0, at: now) },
                    credentials: services.providers.credentials.all.map {
                        Self.credential($0, at: web.directory.now)
                    }),
                visit.call)
        }
    }

    private static func credential(_ credential: ExpiringCredential, at now: Date) -> ProvidersPage.Credential {
        .init(
            kind: credential.kind.rawValue, provider: credential.provider, note: credential.note,
            expires: credential.expires.map(RFC3339.text), state: credential.state(at: now).rawValue)
    }

    private static func entry(_ standing: ProviderDesk.Standing, at now: Date) -> ProvidersPage.Entry {
        .init(
            id: standing.id, name: standing.name, isHealthy: standing.isHealthy,
            lastSuccess: standing.lastSuccess.map(RFC3339.text), lastFailure: standing.lastFailure.map(RFC3339.text),
            failureReason: standing.lastFailureReason,
            keySetAge: standing.keySetArrived.map { max(0, Int(now.timeIntervalSince($0))) },
            signIns: standing.signIns, refusals: standing.refusals, identities: standing.identities)
    }
}
