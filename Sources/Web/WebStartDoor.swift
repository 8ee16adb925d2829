import Clients
import HTTPServer
import HTTPTypes
import Hummingbird
import Pages
import Sessions

/// The first page of the site.
struct WebStartDoor: FrontDoor, HostedPages {
    let site: Site

    func mount(on router: Router<GatewayContext>) {
        router.get("/", use: start)
    }

    /// `GET /`: leads a browser to the account, to the sign-in, or to a page about this server.
    @Sendable func start(_ request: Request, _ context: GatewayContext) async throws -> Response {
        guard request.headers.prefersPage else { throw Problem.notFound }
        return try await answer("start_page", request, context) { call in
            if let session = try await session(&call), allowsAccount(session) { return .seeOther("/account") }
            // Without a client that may sign in to the account page, only an app's own link can begin a sign-in.
            if let client = defaultClient.flatMap(clients.client), client.audiences.contains(.account) {
                return .seeOther("/login")
            }
            return show(NoticePage(code: "welcome", arguments: [:], requestID: nil, actions: []), call)
        }
    }

    private func allowsAccount(_ session: SessionSnapshot) -> Bool {
        clients.client(session.facts.clientID)?.audiences(administers: session.administers).contains(.account) ?? false
    }
}
