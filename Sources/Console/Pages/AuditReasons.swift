import Accounts
import HTTPServer
import Pages
import Vocabulary

/// The reason of an event in words, from its reason code.
enum AuditReasons {
    /// Nil for a reason that says nothing beyond the event; the data below each row has every code.
    static func text(of event: Facts, _ words: Words) -> String? {
        guard let code = event["reason"] else { return nil }
        if event["outcome"] == "refused" { return refusal(code, words) }
        switch event["action"] ?? "" {
        case "identity_linked": return words.text("console.origin.\(MethodOrigin(code).rawValue)")
        case "session_ended", "sessions_ended", "sessions_revoked":
            return SessionEnd(recorded: code).map { words.text("console.session_end.\($0.rawValue)") }
        default:
            // The provider of a sign-in by password is the password.
            let isKnown = ConfirmChangePage.Method.kinds.contains(code) && code != event["provider"]
            return isKnown ? words.text("console.method.\(code)") : nil
        }
    }

    /// A refusal; a code without a text has its title in the catalogue, which is English.
    static func refusal(_ code: String, _ words: Words) -> String {
        let text = words.text("console.reason.\(code)")
        return text.isEmpty ? ErrorCatalogue[code]?.title ?? code : text
    }

    /// The remedy of a refusal; nil for a refusal without one.
    static func remedy(_ code: String, _ words: Words) -> String? {
        let key = byCode[code] ?? (credentials.contains(code) ? "token" : nil)
        return key.map { words.text("console.remedy.\($0)") }
    }

    /// The codes to choose from in the log's filter.
    static let codes = ErrorCatalogue.all.map(\.code)
    /// The messages `console.remedy.<it>`.
    static let remedies = Set(codesByRemedy.keys).union(["token"]).sorted()

    /// The refusals of a provider's token.
    private static let credentials = Set((ErrorCatalogue.credentials + ErrorCatalogue.nonces).map(\.code))

    private static let byCode = Dictionary(
        codesByRemedy.flatMap { remedy, codes in codes.map { ($0, remedy) } }, uniquingKeysWith: { first, _ in first })

    private static let codesByRemedy = [
        "accounts": ["account_conflict", "identity_in_use", "link_subject_changed"],
        "address": ["redirect_not_allowed", "origin_not_allowed"],
        "again": ["flow_expired", "state_invalid", "state_not_bound", "state_used", "form_not_bound", "mixup"],
        "app": [
            "client_unknown", "invalid_client", "code_challenge_required", "app_request_refused",
            "client_document_refused", "invalid_request", "invalid_grant",
        ],
        "bot_check": ["bot_check_required", "bot_check_failed"],
        "callout": ["claims_unavailable", "challenge_unavailable"],
        "cancelled": ["provider_cancelled", "access_denied"],
        "code": ["code_wrong", "code_expired", "too_many_tries", "resend_too_soon", "too_many_resends"],
        "deletion": ["deletion_waits"],
        "delivery": ["delivery_unavailable", "delivery_refused", "country_not_served"],
        "disabled": ["account_disabled"],
        "factor": ["no_second_factor_left", "step_up_required", "factor_not_independent"],
        "method": ["provider_unknown", "provider_not_allowed", "provider_disabled", "guests_not_allowed"],
        "misconfigured": ["provider_misconfigured", "insecure_transport"],
        "passkey": ["passkey_refused"],
        "password": ["invalid_credentials"],
        "provider": ["provider_unavailable", "provider_failed", "provider_declined"],
        "service": [
            "overloaded", "deadline_exceeded", "database_unavailable", "clock_wrong", "outcome_unknown",
            "internal_error",
        ],
        "session": ["reauth_required", "session_ended", "refresh_token_expired", "refresh_token_reused"],
        "temporary": ["temporary_password_expired"],
        "throttled": ["throttled"],
    ]
}
