import Clients
import Foundation
import HTTPServer
import Hummingbird
import OperatorAccess
import Operators
import Pages
import Sessions
import Telemetry

/// The set-up and the statistics of the providers.
extension ConsoleDoor {
    /// `GET /admin/providers`.
    @Sendable func providers(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.showProviders, request, context) { visit in
            let now = Date()
            let list = try await services.providers.list(by: visit.actor)
            let clients = try await services.clients.list(by: visit.actor).map { Facts($0) }
            return show(
                ProvidersPage(
                    frame: frame(visit, .providers), issuer: issuer, entries: list.map { entry($0, clients, at: now) },
                    absent: services.providers.absent,
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

    private func entry(_ standing: ProviderDesk.Standing, _ clients: [Facts], at now: Date) -> ProvidersPage.Entry {
        .init(
            id: standing.id, name: standing.name, isHealthy: standing.isHealthy,
            lastSuccess: standing.lastSuccess.map(RFC3339.text), lastFailure: standing.lastFailure.map(RFC3339.text),
            failureReason: standing.lastFailureReason,
            keySetAge: standing.keySetArrived.map { max(0, Int(now.timeIntervalSince($0))) },
            signIns: standing.signIns, refusals: standing.refusals, identities: standing.identities,
            ways: standing.ways, callback: standing.ways.callbackPath.map { issuer + $0 },
            apps: clients.filter { $0.names("providers").contains(standing.id) && !$0.flag("disabled") })
    }
}
