import HTTPTypes
import Hummingbird
import Sessions

/// `GET /{tenant}/oauth2/v2.0/logout` (OpenID Connect RP-Initiated Logout 1.0): ends this browser's session of an app of
/// the tenant, and leads back to the app.
///
/// It is a GET, as MSAL sends it: a foreign page can sign the user out of the tenant's apps, and of nothing else.
struct NativeAuthLogoutDoor: FrontDoor, HostedPages {
    let site: Site

    func mount(on router: Router<GatewayContext>) {
        router.get(":realm/oauth2/v2.0/logout", use: signOut)
    }

    /// `post_logout_redirect_uri` with `state`; without an address, a page of ours.
    @Sendable func signOut(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("sign_out", request, context) { call in
            let fields = try query(request)
            let apps = clients.apps(inTenant: context.parameters.get("realm") ?? "")
            let destination = try destination(fields, apps, &call)
            if let session = try await session(&call), apps.contains(where: { $0.id == session.facts.clientID }) {
                let facts = session.facts
                try await sessions.end(
                    facts.session, of: facts.account, reason: "signed_out", client: facts.clientID, caller: call.caller)
                call.setCookies.removeAll { $0.name == CookieName.session }
                call.setCookies.append(.removed(CookieName.session))
            }
            guard let destination else {
                return show(NoticePage(code: "signed_out", arguments: [:], requestID: nil, actions: []), call)
            }
            return .found(destination)
        }
    }

    /// The registered address of an app of the tenant, byte for byte; nil if the request names none.
    ///
    /// MSAL names no app, so the address tells which one it is.
    private func destination(
        _ fields: FormBody, _ apps: [Client], _ call: inout WebCall
    ) throws -> String? {
        guard !apps.isEmpty else { throw Problem.notFound }
        guard let asked = fields["post_logout_redirect_uri"] else { return nil }
        let named = fields["client_id"].map { [clients.nativeClient($0)].compactMap(\.self) } ?? apps
        let owner = named.first { $0.redirectURIs.contains { $0.utf8.elementsEqual(asked.utf8) } }
        guard let owner, apps.contains(owner), let uri = RedirectURI(asked) else { throw Rejection.redirectNotAllowed }
        call.call.clientID = owner.id
        guard let state = fields["state"], LoginTarget.canEcho(state) else { return uri.text }
        return uri.adding([("state", state)])
    }
}
