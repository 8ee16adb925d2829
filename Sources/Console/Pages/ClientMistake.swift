import Clients
import HTTPServer

/// An invalid field of an app or an endpoint.
struct ClientMistake: Sendable, Equatable {
    let field: String
    /// The line of the field, 1-based.
    var line: Int?
    /// The reason of the refusal, such as `contrast_too_low`; empty without one that the page explains.
    var reason = ""
    /// The provider in that field that isn't configured.
    var unknownProvider: String?
    /// The place in a request of the admin API; nil for the field itself.
    var pointer: String?

    /// The mistake for the audit log.
    var item: Problem.Item { .invalid(pointer ?? "/\(field)", reason.isEmpty ? "malformed" : reason) }

    static let words = [
        "name", "type", "origins", "redirect_uris", "accepted_audiences", "id", "id_taken", "life", "life_access",
        "url", "other", "unknown_provider", "sign_up_names", "attributes", "attributes_writer", "claims_url",
        "claims_audience", "claims_allowed", "claims_attributes", "brand_contrast", "brand_colour", "brand_address",
        "cognito_pool_id", "cognito_client_id", "cognito_exchange_audiences", "cognito_taken", "cognito_secret",
        "native_auth_tenant_id",
        "native_auth_tenant_name", "native_auth_application_id", "native_auth_taken", "dialects_administration",
        "openid_backchannel_logout_uri", "openid_resources",
        "openid_scopes", "openid_jwks", "openid_jwks_uri", "openid_apple_apps", "openid_android_apps",
        "openid_assertion_audiences",
        "openid_sector_identifier_uri", "sector_required", "sector_unreadable", "sector_incomplete",
        "subjects_dialects",
    ]

    /// The message `console.wrong.<it>`.
    var word: String {
        switch field {
        case "id": reason == "taken" ? "id_taken" : "id"
        case "access_token_seconds": "life_access"
        case "refresh_idle_seconds", "refresh_max_seconds", "claims_refresh_seconds": "life"
        case "brand_accent", "brand_accent_dark": reason == "contrast_too_low" ? "brand_contrast" : "brand_colour"
        case "brand_sender_name": "name"
        case _ where field.hasPrefix("brand_"): "brand_address"
        case "cognito_client_id" where reason == "taken": "cognito_taken"
        case TokenDialect.cognito.rawValue where reason == "needs_a_sealed_secret": "cognito_secret"
        case "native_auth_application_id" where reason == "taken": "native_auth_taken"
        case "dialects" where reason == "not_for_administration": "dialects_administration"
        case "openid_post_logout_redirect_uris": "redirect_uris"
        case "openid_subject_type" where reason == "not_with_dialects",
            "openid_third_party" where reason == "not_with_dialects":
            "subjects_dialects"
        case "openid_sector_identifier_uri":
            switch SectorFault(rawValue: reason) {
            case .documentRequired: "sector_required"
            case .unreachable, .notAList: "sector_unreadable"
            case .addressMissing: "sector_incomplete"
            case nil: field
            }
        case "attributes" where reason == "other_writer": "attributes_writer"
        case "accepted_audiences" where unknownProvider != nil: "unknown_provider"
        case "name", "type", "origins", "redirect_uris", "accepted_audiences", "url", "sign_up_names", "attributes",
            "claims_url", "claims_audience", "claims_allowed", "claims_attributes", "cognito_pool_id",
            "cognito_client_id", "cognito_exchange_audiences", "native_auth_tenant_id", "native_auth_tenant_name",
            "native_auth_application_id",
            "openid_backchannel_logout_uri", "openid_resources", "openid_jwks", "openid_jwks_uri",
            "openid_scopes", "openid_apple_apps", "openid_android_apps", "openid_assertion_audiences":
            field
        default: "other"
        }
    }
}
