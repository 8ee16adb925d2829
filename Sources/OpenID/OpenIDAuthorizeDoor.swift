import Authorization
import Clients
import Foundation
import HTTPServer
import Hummingbird
import Pages
import Sessions
import SignIn
import Vocabulary

/// The authorization endpoint (RFC 6749 §3.1, OpenID Connect Core §3.1.2).
///
/// It decides nothing about a sign-in: without a session that serves the app it leads to the sign-in page, which leads back.
struct OpenIDAuthorizeDoor: FrontDoor, HostedPages {
    let site: Site
    let requests: AuthorizationRequests
    let grants: AppGrants
    let documents: ClientDocuments
    /// Reads ID token hints.
    let tokens: TokenIssuer
    let subjects: PairwiseSubjects
    /// The public address; `iss` of every answer.
    let issuer: String
    let raise: RaisingSessions

    static let path = "/authorize"

    func mount(on router: Router<GatewayContext>) {
        router.acting("authorize", use: authorize)
        router.post("authorize", use: authorizeByPost)
        router.post("authorize/answer", use: answerQuestion)
    }

    /// `GET /authorize`: an app's request, or the reference `r` of a stored one.
    @Sendable func authorize(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("authorize", request, context) { call in
            call.hidesAddress = true
            let sent = try FormBody(Array((request.uri.query ?? "").utf8), allowsRepeated: true)
            let asked = try await asked(AuthorizationParameters(sent.fields), call.caller)
            return try await proceed(asked, AuthorizationAnswers(), &call)
        }
    }

    /// `POST /authorize`: a form of another site.
    ///
    /// The browser withholds its cookies from such a post, so the request is stored and asked for again by GET.
    @Sendable func authorizeByPost(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("authorize", request, context) { call in
            call.hidesAddress = true
            let parameters = AuthorizationParameters(try await FormBody.read(request, allowsRepeated: true).fields)
            let asked = try await asked(parameters, call.caller)
            let place = try place(of: asked, &call)
            do throws(AuthorizationFault) {
                _ = try self.request(asked, at: place)
            } catch {
                return try refuse(error, at: place, call)
            }
            return .seeOther(Self.address(of: try await reference(to: asked, place.client, call.caller)))
        }
    }

    /// A request with its stored form, if it has one.
    struct Asked {
        let parameters: AuthorizationParameters
        var stored: StoredRequest?
        /// The reference of the stored form.
        var reference: String?
    }

    /// - Throws: `flowExpired` for a reference to a request that is answered or expired, or of another client.
    func asked(_ sent: AuthorizationParameters, _ caller: Caller) async throws(Rejection) -> Asked {
        let pushed = sent["request_uri"].flatMap(AuthorizationRequests.reference(ofRequestURI:))
        guard let reference = sent["r"] ?? pushed else {
            try await documents.meet(sent["client_id"], caller: caller)
            return Asked(parameters: sent)
        }
        guard let stored = try await requests.open(reference),
            pushed == nil || sent["client_id"].flatMap(clients.client)?.id == stored.client
        else {
            throw .flowExpired
        }
        try await documents.meet(stored.parameters["client_id"], caller: caller)
        return Asked(parameters: stored.parameters, stored: stored, reference: reference)
    }

    /// The answer with a fault: to the app, or on our page if nobody vouches for it, so that no stranger redirects a browser with it
    /// (RFC 9700 §4.11.2).
    func refuse(_ fault: AuthorizationFault, at place: AnswerPlace, _ call: WebCall) throws(WebRefusal) -> Response {
        guard !place.client.isProved else { return deliver(place.answer(fault, issuer: issuer), call) }
        throw WebRefusal(
            code: "app_request_refused",
            arguments: ["host": place.redirectURI.shownHost], detail: "\(fault.description).")
    }

    func request(_ asked: Asked, at place: AnswerPlace) throws(AuthorizationFault) -> AuthorizationRequest {
        try AuthorizationRequest(
            asked.parameters, at: place, among: clients.resources, isPushed: asked.stored?.isPushed == true)
    }

    /// Where the answer goes; the pages of the call show the app.
    func place(of asked: Asked, _ call: inout WebCall) throws(Rejection) -> AnswerPlace {
        let named = asked.parameters["client_id"]
        // The row of an app that describes itself is known by the address of its document only.
        let client = named.flatMap(clients.client).flatMap { $0.publicID == named ? $0 : nil }
        let place = try AnswerPlace(asked.parameters, of: client)
        call.setApp(place.client, answersAt: place.redirectURI)
        speak(asked.parameters["ui_locales"], &call)
        return place
    }

    /// The reference of a request, which is stored now if it is not.
    ///
    /// - Throws: `throttled` for a network that stores too many.
    func reference(to asked: Asked, _ client: Client, _ caller: Caller) async throws(Rejection) -> String {
        if let reference = asked.reference { return reference }
        return try await requests.store(
            asked.parameters, of: client, isPushed: false, caller: caller, at: directory.now)
    }

    static func address(of reference: String) -> String { path.addingQuery([("r", reference)]) }
}
