import Clients
import Foundation
import HTTPServer
import HTTPTypes
import Hummingbird
import JSON
import OperatorAccess
import Operators
import Pages
import Sessions
import SignIn
import Vocabulary

extension ConsoleDoor {
    /// Answers an operator's call.
    ///
    /// A refusal becomes a page.
    ///
    /// - Parameters:
    ///   - here: the page to return to after a sign-in; nil for the requested page.
    ///   - counts: whether this method counts a success; otherwise ``doing(_:_:_:again:)`` counts it.
    func answer(
        _ action: AdminAction, _ request: Request, _ context: GatewayContext, back here: String? = nil,
        counts: Bool = true, _ body: (ConsoleVisit) async throws -> Response
    ) async throws -> Response {
        var call = WebCall(action.rawValue, request, context, web.forms)
        var response = try await web.log.answer(&call, countsSuccess: counts) { call in
            try await admitted(request, context, here, &call, body)
        } refusing: { error, call in
            let named = error as? RefusedAction
            if let named { call.logged.action = named.action.rawValue }
            let error = named?.error ?? error
            guard let refusal = Self.refusal(error) ?? WebRefusal(error).map({ ConsoleRefusal(code: $0.code) }) else {
                throw error
            }
            return RefusedCall(refusal.code, of: error as? Rejection, detail: Self.wrongParts(error)) { call in
                try await refused(error, refusal, named?.back ?? here ?? Self.address(request), &call)
            }
        }
        for cookie in call.cookiesToSet { response.headers.append(cookie.field) }
        return response
    }

    private func admitted(
        _ request: Request, _ context: GatewayContext, _ here: String?, _ call: inout WebCall,
        _ body: (ConsoleVisit) async throws -> Response
    ) async throws -> Response {
        let isPost = request.method == .post
        let fields = isPost ? try await web.form(request, call) : try web.query(request)
        web.speak(fields["ui_locales"], &call)
        guard let session = try await session(&call) else {
            return .seeOther(loginAddress(here ?? (isPost ? "/admin" : Self.address(request)), call.locales))
        }
        let actor = AdminActor.session(account: session.facts.account, session: session.facts.session, call.caller)
        let visit = ConsoleVisit(
            session: session, actor: actor, role: try await services.operators.role(of: actor), call: call,
            path: request.uri.path, fields: fields, hidden: web.hidden(call, Site.locales(call)))
        return try await body(visit)
    }

    /// The session of an administration client; nil for any other session and without a session.
    func session(_ call: inout WebCall) async throws(Rejection) -> SessionSnapshot? {
        guard let session = try await web.session(&call) else { return nil }
        do throws(Rejection) {
            try web.clients.require(.administration, of: session)
            return session
        } catch {
            guard error == .audienceNotAllowed else { throw error }
            return nil
        }
    }

    /// Redirects to a missing proof and back, or shows any other refusal.
    private func refused(
        _ error: any Error, _ refusal: ConsoleRefusal, _ here: String, _ call: inout WebCall
    ) async throws -> Response {
        if refusal.code == "step_up_required", let session = try await session(&call) {
            do {
                return try await raise(session, .init(returnTo: ReturnPath(here)?.text), &call)
            } catch {
                return notice(refusal, (.toAccount, "/account"), call)
            }
        }
        switch refusal.code {
        case "reauth_required", "session_ended", "audience_not_allowed":
            return notice(
                ConsoleRefusal(code: "reauth_required"), (.signIn, loginAddress(here, call.locales, anew: true)),
                call)
        case _ where error is AdminRefusal || error is ConsoleRefusal:
            let isStranger = refusal.code == "not_an_operator"
            let start = ConsoleAddress.of("/admin", Site.localesParameter(call.locales))
            return notice(refusal, isStranger ? (.toAccount, "/account") : (.back, start), call)
        default:
            guard let known = WebRefusal(error) else { throw error }
            return web.notice(known, call)
        }
    }

    private func notice(_ refusal: ConsoleRefusal, _ action: (ActionKey, String), _ call: WebCall) -> Response {
        let page = ConsoleNotice(
            frame: nil, refusal: refusal, requestID: call.caller.requestID, action: (action.0, action.1))
        return show(page, call, status: ErrorCatalogue[refusal.code]?.status ?? .badRequest)
    }

    func show<Shown: ConsolePage>(_ page: Shown, _ call: WebCall, status: HTTPResponse.Status = .ok) -> Response {
        guard let html = web.renderer.render(page, call.language, requestID: call.caller.requestID) else {
            return .withoutPage(call, publicURL: web.ownOrigin)
        }
        return Response.page(
            html, status: status, formTargets: call.formTargets(), hidesAddress: false, isLive: Shown.isLive,
            frames: Shown.frames)
    }

    /// The frame of a page for this operator.
    func frame(_ visit: ConsoleVisit, _ section: ConsoleSection = .search, _ problem: ConsoleRefusal? = nil)
        -> ConsoleFrame
    {
        ConsoleFrame(
            section: section, who: visit.name, role: visit.role.rawValue, hidden: visit.hidden,
            locales: visit.call.locales, providerName: providerName, problem: problem)
    }

    /// The console's form of a service refusal; nil for other errors.
    static func refusal(_ error: any Error) -> ConsoleRefusal? {
        switch error {
        case let refusal as ConsoleRefusal: refusal
        case .undoBlocked(let parts) as AdminRefusal: ConsoleRefusal(code: "undo_blocked", parts: parts)
        case .invalidMember(_, let reason, _) as AdminRefusal where spoken.contains(reason):
            ConsoleRefusal(code: reason)
        case let refusal as AdminRefusal: ConsoleRefusal(code: refusal.code)
        default: nil
        }
    }

    /// The codes of invalid requests for which the console has texts.
    private static let spoken = [
        "nothing_listed", "endpoint_disabled", "too_many_endpoints", "no_address", "not_delivered",
        "client_disabled", "must_be_address_or_network", "needs_confidential_client", "must_be_email_address",
    ]

    /// Runs an action and adds its name to a refusal, so that the refusal's audit row names it.
    ///
    /// The address alone does not name the action.
    ///
    /// - Parameter back: the page to return to after a sign-in; nil for the requested page.
    static func naming<Value>(
        _ action: AdminAction, back: String? = nil, _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch {
            throw RefusedAction(action: action, error: error, back: back)
        }
    }

    /// Whether the page shows a refusal above its form; other refusals lead to another page.
    static func isSaidInPlace(_ refusal: ConsoleRefusal) -> Bool {
        ![
            "not_an_operator", "step_up_required", "reauth_required", "session_ended", "audience_not_allowed",
            "role_too_low", "throttled",
        ]
        .contains(refusal.code)
    }

    static func pathID(_ context: GatewayContext) throws(AdminRefusal) -> UUID {
        guard let id = context.parameters.get("id").flatMap({ UUID(uuidString: $0) }) else { throw .notFound }
        return id
    }

    /// The address of the requested page, as a return address for a sign-in.
    private static func address(_ request: Request) -> String {
        request.uri.query.map { "\(request.uri.path)?\($0)" } ?? request.uri.path
    }

    private func loginAddress(_ here: String, _ locales: String?, anew: Bool = false) -> String {
        let back = ReturnPath(here)?.text ?? "/admin"
        return ConsoleAddress.of(
            "/login",
            (anew ? [(name: "prompt", value: "login")] : []) + [
                (name: "client_id", value: client), (name: "return_to", value: back),
            ]
                + Site.localesParameter(locales))
    }

    /// Redirects to the account, with a message about the change.
    static func done(
        _ action: AccountAction, _ account: UUID, change: UUID? = nil, _ visit: ConsoleVisit
    ) -> Response {
        let made = change.map { [(name: "change", value: $0.text)] } ?? []
        return .seeOther(
            ConsoleAddress.of(
                ConsoleAddress.ofAccount(account.text),
                [(name: "done", value: action.name)] + made + Site.localesParameter(visit.call.locales)))
    }
}

/// A refusal with the action that it stopped.
private struct RefusedAction: Error {
    let action: AdminAction
    let error: any Error
    let back: String?
}
