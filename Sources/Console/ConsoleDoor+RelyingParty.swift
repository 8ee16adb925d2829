import HTTPServer
import Hummingbird
import OperatorAccess

/// The settings of relying parties.
extension ConsoleDoor {
    /// `GET …/relying-party`: no secret is on it, so every operator may read it.
    @Sendable func relyingParty(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.showClients, request, context) { visit in
            let client = try await known(context, visit)
            return show(
                RelyingPartyPage(
                    frame: frame(visit, .clients), client: client,
                    provider: KnownSoftware.Provider(issuer: issuer, clientID: client.id)), visit.call)
        }
    }
}
