import Clients
import HTTPServer
import Hummingbird
import Pages

/// The page at a client's links for a browser: the system of the phone did not open the app.
///
/// The address has a code, so the page keeps it: it leads nowhere, and sends no referrer.
struct OpenIDAppPageDoor: FrontDoor, HostedPages {
    let site: Site

    func mount(on router: Router<GatewayContext>) {
        router.get("app/{client}", use: page)
    }

    /// `GET /app/CLIENT`.
    @Sendable func page(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("app_page", request, context) { call in
            call.hidesAddress = true
            guard let client = context.parameters.get("client").flatMap(clients.client), client.hasLink else {
                throw Problem.notFound
            }
            call.logged.clientID = client.id
            let arguments = ["app": client.name]
            return show(
                NoticePage(
                    code: NoticeCode.returnToApp.rawValue, arguments: arguments, requestID: nil, actions: []), call)
        }
    }
}
