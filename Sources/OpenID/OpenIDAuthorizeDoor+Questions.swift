import Authorization
import Clients
import Foundation
import HTTPServer
import Hummingbird
import JSON
import Pages
import Sessions
import SignIn
import Vocabulary

/// The questions to a user who is signed in: which account, and what the app may have.
extension OpenIDAuthorizeDoor {
    func ask(
        _ decision: AuthorizationDecision, _ course: Course, _ call: inout WebCall
    ) async throws(Rejection) -> Response {
        guard let session = course.session else { throw .sessionEnded() }
        let client = course.request.client
        let reference = try await reference(to: course.asked, client, call.caller)
        let account = session.account
        let fields = hidden(
            call,
            [
                HiddenField(name: "r", value: reference), HiddenField(name: "account", value: account.id.text),
                HiddenField(name: "question", value: decision == .consent ? "consent" : "account"),
            ])
        let name = account.displayName ?? account.email ?? account.id.text
        let other = Self.otherAccount(reference, client)
        guard decision == .consent else {
            return show(
                ChooseAccountPage(clientName: client.name, accountName: name, hidden: fields, otherAddress: other), call
            )
        }
        let page = ConsentPage(
            clientName: client.name, host: course.request.place.redirectURI.shownHost,
            site: client.documentHost, isLocal: course.request.place.redirectURI.isOnComputer && !client.isProved,
            accountName: name,
            scopes: TokenScope.own.filter(course.request.wanted.scopes.contains).map(\.rawValue),
            resources: ConsentPage.Resource.all(course.request.resources, among: clients.resources), hidden: fields,
            otherAddress: other)
        return show(page, call)
    }

    private static func otherAccount(_ reference: String, _ client: Client) -> String {
        "/login".addingQuery([
            ("client_id", client.id), ("return_to", address(of: reference)), ("prompt", LoginPrompt.choosing.rawValue),
        ])
    }

    /// `POST /authorize/answer`: the form of such a page, bound to the browser, the account and the request.
    @Sendable func answerQuestion(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("authorize", request, context) { call in
            call.hidesAddress = true
            let form = try await form(request, call)
            let asked = try await asked(AuthorizationParameters([("r", form["r"] ?? "")]), call.caller)
            guard asked.stored != nil else { throw Rejection.flowExpired }
            let place = try place(of: asked, &call)
            // Another user may have signed in since the page was shown.
            let session = try await session(&call)
            guard let session, session.account.id.text == form["account"] else {
                return .seeOther(Self.address(of: asked.reference ?? ""))
            }
            guard form["question"] == "consent" else {
                return try await proceed(asked, AuthorizationAnswers(isChosen: true), &call)
            }
            guard form["decision"] == "allow" else { return try await decline(asked, place, call) }
            let wanted: GrantedAccess
            do throws(AuthorizationFault) {
                wanted = try self.request(asked, at: place).wanted
            } catch {
                return try refuse(error, at: place, call)
            }
            let granted = wanted.keeping { form["scope_\($0)"] != nil }
            try await grants.grant(granted, by: session, to: place.client, caller: call.caller)
            return try await proceed(asked, AuthorizationAnswers(isChosen: true, granted: granted), &call)
        }
    }

    private func decline(_ asked: Asked, _ place: AnswerPlace, _ call: WebCall) async throws -> Response {
        if let stored = asked.stored { try await requests.end(stored.id) }
        log.refused("access_denied", as: "consent", call.logged)
        return deliver(place.answer(.declined, issuer: issuer), call)
    }
}
