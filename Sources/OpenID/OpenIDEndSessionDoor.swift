import Clients
import Foundation
import HTTPServer
import Hummingbird
import JSON
import Pages
import Sessions
import Vocabulary

/// Sign-outs that an app begins (OpenID Connect RP-Initiated Logout 1.0).
struct OpenIDEndSessionDoor: FrontDoor, HostedPages {
    let site: Site
    let issuer: TokenIssuer
    let subjects: PairwiseSubjects

    func mount(on router: Router<GatewayContext>) {
        router.acting("end-session", use: endSession)
        router.post("end-session", use: endSessionByPost)
    }

    /// `GET /end-session` (§2).
    @Sendable func endSession(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("sign_out", request, context) { call in
            try await end(AppSignOut(try query(request), clients, issuer, at: directory.now), &call)
        }
    }

    /// `POST /end-session`: a form of another site.
    ///
    /// The browser withholds its cookies from such a post, so the same request follows by GET.
    @Sendable func endSessionByPost(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("sign_out", request, context) { call in
            let form = try await FormBody.read(request)
            return .seeOther("/end-session".addingQuery(form.fields.filter { !$0.value.isEmpty }))
        }
    }

    private func end(_ asked: AppSignOut, _ call: inout WebCall) async throws -> Response {
        call.hidesAddress = true
        speak(asked.locales, &call)
        call.logged.clientID = asked.client?.id
        guard asked.isConsistent else { throw Rejection.clientUnknown(asked.named.map(SentText.init)) }
        let session = try await session(&call, isHarmless: true)
        guard let session else { return leave(asked, call) }
        // Without a hint about this user, the request may come from any site.
        guard asked.isSound, try await isAbout(session, asked) else { return askToSignOut(session, [], call) }
        try await end(session, &call)
        return leave(asked, call)
    }

    /// Whether the hint is about the user of the browser, as the app of the hint knows them.
    private func isAbout(_ session: SessionSnapshot, _ asked: AppSignOut) async throws(Rejection) -> Bool {
        guard let hint = asked.hint else { return false }
        guard let client = asked.client else { return hint.subject == session.account.id.text }
        return try await subjects.subject(of: session.account.id, at: client) == hint.subject
    }

    /// Leads back to the app if it said so soundly.
    private func leave(_ asked: AppSignOut, _ call: WebCall) -> Response {
        guard asked.hint != nil, let destination = asked.destination else { return signedOut(call) }
        return .seeOther(destination)
    }
}

/// The parameters of such a sign-out.
struct AppSignOut {
    /// Nil without an ID token hint, and for a changed one.
    let hint: IDTokenHint?
    /// The client that the hint or the request names.
    let client: Client?
    /// `client_id` of the request.
    let named: String?
    /// Whether hint and `client_id` name the same client.
    let isConsistent: Bool
    /// Whether every parameter holds: a changed hint or an unregistered address makes the user decide.
    let isSound: Bool
    /// The registered address with the app's `state`; nil without one.
    let destination: String?
    let locales: String?

    init(_ fields: FormBody, _ clients: ClientRegistry, _ issuer: TokenIssuer, at now: Date) {
        let sentHint = fields["id_token_hint"]
        hint = sentHint.flatMap { issuer.hint($0, at: now) }
        named = fields["client_id"]
        isConsistent = named == nil || hint == nil || named == hint?.client
        let client = (hint?.client ?? named).flatMap(clients.client)
        self.client = client
        let address = fields["post_logout_redirect_uri"]
        let registered = address.flatMap { address in
            client?.openID.postLogoutRedirectURIs.contains { $0.utf8.elementsEqual(address.utf8) } == true
                ? address : nil
        }
        isSound = (sentHint == nil || hint != nil) && (address == nil || registered != nil)
        let state = fields["state"].map { [("state", $0)] } ?? []
        destination = hint == nil ? nil : registered?.addingQuery(state)
        locales = fields["ui_locales"]
    }
}
