import HTTPTypes
import Hummingbird
import Sessions

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
            guard let client = fields["client_id"].flatMap(clients.cognitoClient) else { throw Rejection.clientUnknown }
            call.call.clientID = client.id
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
            guard let back = fields["redirect_uri"], client.registers(back) else { throw .redirectNotAllowed }
            return "/oauth2/authorize?\(request.uri.query ?? "")"
        }
        guard client.registers(asked) else { throw .redirectNotAllowed }
        return asked
    }
}

/// Ending the session of this browser.
extension HostedPages {
    /// Ends the session for apps that sign out together, such as those of a pool.
    ///
    /// The session of another app, such as an operator's, ends only after a click.
    ///
    /// - Parameters:
    ///   - client: the app that asks.
    ///   - back: its address, to which a click leads.
    ///   - response: the answer once no session of these apps is left.
    func signOut(
        _ client: Client, among apps: [Client], back: String?, then response: Response, _ call: inout WebCall
    ) async throws -> Response {
        guard let session = try await session(&call) else {
            call.forgetSession()
            return response
        }
        guard apps.contains(where: { $0.id == session.facts.clientID }) else {
            return askFirst(session, client, back, &call)
        }
        try await end(session, &call)
        return response
    }

    /// The page whose button ends the session of another app.
    private func askFirst(
        _ session: SessionSnapshot, _ client: Client, _ destination: String?, _ call: inout WebCall
    ) -> Response {
        call.formTargets = destination.flatMap { RedirectURI($0) }.map(client.formTargets(endingAt:)) ?? []
        let fields = [("scope", "local"), ("client_id", client.id), ("logout_uri", destination ?? "")]
        return show(
            SignOutPage(
                clientName: clientName(session),
                hidden: hidden(call, fields.map { HiddenField(name: $0.0, value: $0.1) })), call)
    }

    func end(_ session: SessionSnapshot, _ call: inout WebCall) async throws {
        let facts = session.facts
        try await sessions.end(
            facts.session, of: facts.account, reason: "signed_out", client: facts.clientID, caller: call.caller)
        call.forgetSession()
    }

    /// The address of an app that a form of ours names after a sign-out; nil unless the app registered it.
    func signOutTarget(_ form: FormBody) -> String? {
        guard let client = form["client_id"].flatMap(clients.client), let asked = form["logout_uri"],
            client.registers(asked)
        else { return nil }
        return asked
    }
}

extension WebCall {
    /// The browser keeps no session after the answer.
    mutating func forgetSession() {
        setCookies.removeAll { $0.name == CookieName.session }
        setCookies.append(.removed(CookieName.session))
    }
}

extension Client {
    /// Whether the app registered exactly this address.
    func registers(_ address: String) -> Bool {
        redirectURIs.contains { $0.utf8.elementsEqual(address.utf8) }
    }
}
