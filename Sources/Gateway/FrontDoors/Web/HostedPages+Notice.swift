import Accounts
import HTTPTypes
import Hummingbird
import Sessions

/// Refusals and other things to tell, with the way on.
extension HostedPages {
    func notice(_ refusal: WebRefusal, _ call: WebCall) -> Response {
        var arguments = refusal.arguments
        arguments["provider"] = call.call.provider.flatMap { web.choice($0)?.name } ?? ""
        let page = NoticePage(
            code: noticeCode(refusal), arguments: arguments, requestID: call.caller.requestID,
            actions: actions(after: refusal, call))
        var response = show(page, call, status: refusal.status)
        response.headers.append(contentsOf: refusal.headers)
        if let seconds = refusal.retryAfter { response.headers[.retryAfter] = String(seconds) }
        return response
    }

    /// Refusals of a provider's credential have a code each; to a visitor they are one thing.
    private func noticeCode(_ refusal: WebRefusal) -> String {
        let code = refusal.spokenCode
        if NoticeCode(rawValue: code) != nil { return code }
        return call(isCredential: code) ? "credential_refused" : "internal_error"
    }

    private func call(isCredential code: String) -> Bool {
        (ErrorCatalogue.credentials + ErrorCatalogue.nonces).contains { $0.code == code }
    }

    private func actions(after refusal: WebRefusal, _ call: WebCall) -> [NoticePage.Action] {
        switch refusal.code {
        case "client_unknown", "redirect_not_allowed", "code_challenge_required", "insecure_transport", "not_found":
            // Whoever brought the person here has to mend it: there is no address to be trusted.
            return []
        case "user_name_taken":
            return [.init(key: "try_again", address: signUpAddress(call), isMain: true)]
        case "identity_in_use", "last_credential":
            return [.init(key: "to_account", address: "/account", isMain: true)]
        case "reauth_required", "session_ended", "audience_not_allowed":
            return [.init(key: "sign_in", address: freshLoginAddress(call), isMain: true)]
        case "provider_disabled", "provider_not_allowed", "provider_failed", "provider_misconfigured":
            return [.init(key: "sign_in_another_way", address: loginAddress(call), isMain: true)]
        case "state_used" where isSignedIn(call), "state_not_bound" where isSignedIn(call):
            // The back button after a sign-in that went well leads here too: its cookie is gone by then.
            return [
                .init(key: "to_account", address: "/account", isMain: true),
                .init(key: "sign_in", address: loginAddress(call), isMain: false),
            ]
        default: return [.init(key: "try_again", address: loginAddress(call), isMain: true)]
        }
    }

    private func isSignedIn(_ call: WebCall) -> Bool { call.call.sessionID != nil }

    /// The same, where going on as who is signed in already would prove nothing.
    private func freshLoginAddress(_ call: WebCall) -> String {
        "/login".addingQuery((call.entry?.parameters ?? []) + [("prompt", "login")])
    }

    private func signUpAddress(_ call: WebCall) -> String { call.entry?.address(of: "/sign-up") ?? "/sign-up" }

    /// Our own page, with what the person came with.
    func loginAddress(_ call: WebCall) -> String { call.entry?.address(of: "/login") ?? "/login" }
}
