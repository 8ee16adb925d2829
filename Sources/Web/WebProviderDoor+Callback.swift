import Clients
import Foundation
import HTTPServer
import HTTPTypes
import Hummingbird
import Pages
import SignIn
import Vocabulary

/// Callbacks from a provider.
extension WebProviderDoor {
    /// `GET /login/{provider}/callback`: most providers redirect, so that the session's cookie comes too.
    @Sendable func queryCallback(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("callback", request, context) { call in
            call.hidesAddress = true
            let provider = try answering(context, &call, byForm: false)
            return try await finish(WebCallback(provider, try query(request)), &call)
        }
    }

    /// `POST /login/{provider}/callback`: a form that the provider's page posts from its own site.
    ///
    /// Only the flow's `SameSite=None` cookie comes with it. This call therefore changes nothing. The page in its
    /// answer posts the same form again from our site.
    @Sendable func formCallback(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("callback", request, context) { call in
            (call.hidesAddress, call.isCrossSite) = (true, true)
            let callback = WebCallback(
                try answering(context, &call, byForm: true), try await callbackForm(request))
            let flow = try web.flow(of: callback)
            if let client = clients.client(flow.client),
                let target = try? LoginTarget(flow.target, client: client, ownOrigin: ownOrigin)
            {
                call.setEntry(WebEntry(client: client, target: target, locales: flow.locales))
            }
            return show(
                RepostPage(action: "/login/\(callback.provider)/complete", hidden: callback.fields), call)
        }
    }

    /// `POST /login/{provider}/complete`: the same fields, from our own page.
    @Sendable func complete(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("callback", request, context) { call in
            let provider = try answering(context, &call, byForm: true)
            return try await finish(WebCallback(provider, try await callbackForm(request)), &call)
        }
    }

    private func finish(_ callback: WebCallback, _ call: inout WebCall) async throws -> Response {
        let session = try await session(&call)
        let flow = try web.flow(of: callback)
        let cookies = call.cookies
        let finish: WebFinish
        do throws(Rejection) {
            finish = try await web.finish(
                flow, callback, cookie: { cookies[$0] }, session: session, device: device(call), caller: call.caller)
        } catch {
            restoreEntry(of: flow, after: error, &call)
            if case .identityInUse(let ticket?) = error { return .seeOther(Self.mergeAddress(ticket)) }
            throw error
        }
        forget(flow, &call)
        switch finish {
        case .signedIn(let signedIn, let target):
            if let client = clients.client(flow.client) {
                call.setEntry(WebEntry(client: client, target: target, locales: flow.locales))
            }
            return try await didSignIn(signedIn, target, &call)
        case .step(let pending, let client):
            let target = try LoginTarget(flow.target, client: client, ownOrigin: ownOrigin)
            let entry = WebEntry(client: client, target: target, locales: flow.locales)
            call.setEntry(entry)
            return try step(pending, entry, &call)
        case .linked:
            return .seeOther(AccountNotice.linked.address())
        }
    }

    /// Restores the flow's entry, so that the page after a refusal leads back to the start of the sign-in.
    ///
    /// An app learns that its user cancelled; no page of ours would tell it.
    private func restoreEntry(of flow: WebFlow, after rejection: Rejection, _ call: inout WebCall) {
        if rejection != .stateNotBound { forget(flow, &call) }
        guard let client = clients.client(flow.client) else { return }
        call.logged.clientID = client.id
        guard let target = try? LoginTarget(flow.target, client: client, ownOrigin: ownOrigin) else { return }
        call.setEntry(WebEntry(client: client, target: target, locales: flow.locales))
        call.refusal = AuthorizationRefusal(rejection, of: target, client: client, publicURL: ownOrigin)
    }

    /// Deletes the oldest cookies of abandoned flows.
    ///
    /// Too many of them would make the browser's requests too large.
    func forgetOldFlows(_ call: inout WebCall) {
        let held = call.cookies.names(withPrefix: WebFlows.cookiePrefix)
        for name in held.dropLast(Self.mostFlows - 1) { call.setCookies.append(.removed(name, sameSite: .none)) }
    }

    private static let mostFlows = 5

    private func forget(_ flow: WebFlow, _ call: inout WebCall) {
        call.setCookies.append(.removed(web.flows.cookieName(of: flow), sameSite: .none))
    }

    func provider(_ context: GatewayContext, _ call: inout WebCall) throws(Rejection) -> WebSignInService.Choice {
        guard let choice = context.parameters.get("provider").flatMap(web.choice) else { throw .providerUnknown }
        call.logged.provider = choice.id
        return choice
    }

    /// The provider of a callback address; an operator may have disabled it since the flow began.
    ///
    /// - Throws: ``Problem`` 405 if the provider uses the other answer method.
    private func answering(_ context: GatewayContext, _ call: inout WebCall, byForm: Bool) throws -> String {
        guard let id = context.parameters.get("provider"), WebSignInService.mayBeProvider(id) else {
            throw Rejection.providerUnknown
        }
        let choice = web.choice(id)
        call.logged.provider = choice?.id
        guard choice.map({ $0.answersByForm == byForm }) ?? true else {
            throw Problem.methodNotAllowed([byForm ? .get : .post])
        }
        return id
    }

    private static let longestCallback = 32_768

    /// Reads the form and refuses parameters in the address, because any site can write that address.
    private func callbackForm(_ request: Request) async throws -> FormBody {
        guard (request.uri.query ?? "").isEmpty else {
            throw Problem.malformedRequest("A form's parameters must not stand in the address too.")
        }
        return try await FormBody.read(request, maximumBytes: Self.longestCallback)
    }
}

extension WebCallback {
    /// The fields that a provider may answer with; it drops all others.
    init(_ provider: String, _ fields: FormBody) {
        self.init(
            provider: provider, state: fields["state"], code: fields["code"], error: fields["error"],
            issuer: fields["iss"], idToken: fields["id_token"], user: fields["user"])
    }

    /// The answer as hidden fields.
    var fields: [HiddenField] {
        let all: [(String, String?)] = [
            ("state", state), ("code", code), ("error", error), ("iss", issuer), ("id_token", idToken), ("user", user),
        ]
        return all.compactMap { name, value in value.map { HiddenField(name: name, value: $0) } }
    }
}
