import HTTPServer
import Hummingbird
import OperatorAccess
import Operators

/// The first lines of code of an app, and the settings of relying parties.
extension ConsoleDoor {
    /// `GET …/quickstart`: `done` after the app was added.
    ///
    /// No secret is on it, so every operator may read it.
    @Sendable func quickstart(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.showClients, request, context) { visit in
            let client = try await known(context, visit)
            let offered = client.names("providers")
            let callbacks = services.providers.callbacks.filter { offered.contains($0.provider) }
            return show(
                QuickstartPage(
                    frame: frame(visit, .clients), client: client,
                    provider: KnownSoftware.Provider(issuer: issuer, clientID: client.id),
                    callbacks: callbacks.map { ($0.provider, issuer + $0.path) },
                    isNew: visit.fields["done"] == "made"), visit.call)
        }
    }
}
