package import HTTPServer
import HTTPTypes
package import Hummingbird
import SignIn
import Vocabulary

/// Refusals and other notices, with links to continue.
extension HostedPages {
    /// The page of a refusal that reaches no other handler, for a browser; nil for other callers.
    ///
    /// It leaves no audit row: scanners ask for thousands of unknown paths.
    package func refusalPage(_ problem: Problem, _ request: Request, _ context: GatewayContext) -> Response? {
        guard request.headers.prefersPage, let refusal = WebRefusal(problem) else { return nil }
        let call = WebCall("refusal_page", request, context, forms)
        var response = notice(refusal, call)
        if problem == .headersTooLarge {
            // Those of abandoned sign-ins may be what is too much.
            for name in call.cookies.names(withPrefix: WebFlows.cookiePrefix).prefix(20) {
                response.headers.append(SetCookie.removed(name, sameSite: .none).field)
            }
        }
        response.headers.append(HTTPField(name: .vary, value: "Accept"))
        return response
    }

    package func notice(_ refusal: WebRefusal, _ call: WebCall) -> Response {
        var arguments = refusal.arguments
        arguments["provider"] = call.logged.provider.flatMap { web.choice($0)?.name } ?? ""
        let page = NoticePage(
            code: refusal.noticeCode.rawValue, arguments: arguments, requestID: call.caller.requestID,
            actions: actions(after: refusal, call),
            detail: refusal.shownDetail(showsAll: site.settings.showsDetails))
        var response = show(page, call, status: refusal.status)
        response.headers.append(contentsOf: refusal.headers)
        if let seconds = refusal.retryAfter { response.headers[.retryAfter] = String(seconds) }
        return response
    }

    private func actions(after refusal: WebRefusal, _ call: WebCall) -> [NoticePage.Action] {
        switch refusal.code {
        case "client_unknown", "client_document_refused", "app_request_refused", "redirect_not_allowed",
            "code_challenge_required", "insecure_transport":
            // Only the app that sent the user here can correct this. No address in the request is trustworthy.
            return []
        case "not_found", "method_not_allowed":
            return [.init(key: "to_start", address: "/", isMain: true)]
        case "user_name_taken":
            return [.init(key: "try_again", address: signUpAddress(call), isMain: true)]
        case "identity_in_use", "last_credential", "disown_link_invalid", "deletion_waits", "operator_acts":
            return [.init(key: "to_account", address: "/account", isMain: true)]
        case "invitation_invalid":
            return [.init(key: "sign_in", address: loginAddress(call), isMain: true)]
        case "reauth_required", "session_ended", "audience_not_allowed":
            return [.init(key: "sign_in", address: freshLoginAddress(call), isMain: true)]
        case "provider_disabled", "provider_not_allowed", "provider_failed", "provider_misconfigured",
            "provider_declined", "temporary_password_expired", "account_conflict":
            return [.init(key: "sign_in_another_way", address: loginAddress(call), isMain: true)]
        case "state_used" where isSignedIn(call), "state_not_bound" where isSignedIn(call):
            // The back button after a successful sign-in leads here too, because the cookie is gone by then.
            return [
                .init(key: "to_account", address: "/account", isMain: true),
                .init(key: "sign_in", address: loginAddress(call), isMain: false),
            ]
        default: return [.init(key: "try_again", address: loginAddress(call), isMain: true)]
        }
    }

    private func isSignedIn(_ call: WebCall) -> Bool { call.logged.sessionID != nil }

    /// The sign-in address for a new proof; continuing the existing session would prove nothing.
    private func freshLoginAddress(_ call: WebCall) -> String {
        "/login".addingQuery((call.entry?.parameters ?? []) + [("prompt", "login")])
    }

    private func signUpAddress(_ call: WebCall) -> String { call.entry?.address(of: "/sign-up") ?? "/sign-up" }

    /// Our sign-in page, with the parameters of the entry.
    func loginAddress(_ call: WebCall) -> String { call.entry?.address(of: "/login") ?? "/login" }
}
