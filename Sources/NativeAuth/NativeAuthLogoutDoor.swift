import Clients
import HTTPServer
import Hummingbird
import Pages
import SignIn
import Vocabulary

/// `GET /{tenant}/oauth2/v2.0/logout` (OpenID Connect RP-Initiated Logout 1.0): ends this browser's session of an app of
/// the tenant, and leads back to the app.
///
/// It is a GET, as MSAL sends it: a foreign page can sign the user out of the tenant's apps, and of nothing else.
struct NativeAuthLogoutDoor: FrontDoor, HostedPages {
    let site: Site

    func mount(on router: Router<GatewayContext>) {
        router.acting(":realm/oauth2/v2.0/logout", use: signOut)
    }

    /// `post_logout_redirect_uri` with `state`; without an address, a page of ours.
    @Sendable func signOut(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("sign_out", request, context) { call in
            let fields = try query(request)
            let apps = clients.apps(inTenant: context.parameters.get("realm") ?? "")
            let (client, back) = try asking(fields, apps)
            call.logged.clientID = client.id
            let page = NoticePage(code: "signed_out", arguments: [:], requestID: nil, actions: [])
            let response = back.map { Response.found(Self.address($0, fields)) } ?? show(page, call)
            return try await signOut(client, among: apps, back: back?.text, then: response, &call)
        }
    }

    /// The app of the tenant that asks, and its registered address; no address if the request names none.
    ///
    /// MSAL names no app, so the address tells which one it is.
    private func asking(_ fields: FormBody, _ apps: [Client]) throws -> (client: Client, back: RedirectURI?) {
        let named = apps.filter { app in
            fields["client_id"].map { clients.nativeClient($0)?.id == app.id } ?? true
        }
        guard let first = named.first else {
            if apps.isEmpty { throw Problem.notFound }
            throw Rejection.clientUnknown(fields["client_id"].map(SentText.init))
        }
        guard let asked = fields["post_logout_redirect_uri"] else { return (first, nil) }
        for app in named {
            if let back = app.registered(asked) { return (app, back) }
        }
        throw first.refusal(ofAddress: asked)
    }

    private static func address(_ back: RedirectURI, _ fields: FormBody) -> String {
        guard let state = fields["state"], LoginTarget.canEcho(state) else { return back.text }
        return back.adding([("state", state)])
    }
}
