import Clients
import HTTPServer
import Hummingbird
import Pages
import Vocabulary

/// `GET /logout` of a pool's domain: ends the session of this browser, and leads back to the app.
///
/// It is a GET, as at Cognito: a foreign page can sign the user out of the pool's apps, and of nothing else.
struct CognitoLogoutDoor: FrontDoor, HostedPages {
    let site: Site

    func mount(on router: Router<GatewayContext>) {
        router.acting("logout", use: signOut)
    }

    /// `client_id` with `logout_uri`, or with the parameters of another sign-in.
    @Sendable func signOut(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("sign_out", request, context) { call in
            let fields = try query(request)
            guard let client = fields["client_id"].flatMap(clients.cognitoClient) else {
                throw Rejection.clientUnknown(fields["client_id"].map(SentText.init))
            }
            call.logged.clientID = client.id
            let destination = try Self.destination(fields, client, request)
            let apps = clients.apps(inPool: client.dialects.cognito?.poolID ?? "")
            let back = fields["logout_uri"]
            return try await signOut(client, among: apps, back: back, then: .found(destination), &call)
        }
    }

    /// The registered address, byte for byte; without one, the sign-in with the same parameters.
    private static func destination(
        _ fields: FormBody, _ client: Client, _ request: Request
    ) throws(Rejection) -> String {
        guard let asked = fields["logout_uri"] else {
            guard let back = fields["redirect_uri"], client.registered(back) != nil else {
                throw client.refusal(ofAddress: fields["redirect_uri"])
            }
            return "/oauth2/authorize?\(request.uri.query ?? "")"
        }
        guard client.registered(asked) != nil else { throw client.refusal(ofAddress: asked) }
        return asked
    }
}
