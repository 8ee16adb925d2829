/// An invalid field of an app or an endpoint.
struct ClientMistake: Sendable, Equatable {
    let field: String
    /// The line of the field, 1-based.
    var line: Int?
    /// Whether it is a colour that can't be read on the pages' ground.
    var isContrast = false
    /// The provider in that field that isn't configured.
    var unknownProvider: String?

    static let words = [
        "name", "type", "origins", "redirect_uris", "accepted_audiences", "id", "id_taken", "life", "life_access",
        "url", "other", "unknown_provider", "sign_up_names", "attributes", "claims_url", "claims_audience",
        "claims_allowed", "claims_attributes", "brand_contrast", "brand_colour", "brand_address",
    ]

    /// The message `console.wrong.<it>`.
    var word: String {
        switch field {
        case "id": isTaken ? "id_taken" : "id"
        case "access_token_seconds": "life_access"
        case "refresh_idle_seconds", "refresh_max_seconds", "claims_refresh_seconds": "life"
        case "brand_accent", "brand_accent_dark": isContrast ? "brand_contrast" : "brand_colour"
        case _ where field.hasPrefix("brand_"): "brand_address"
        case "accepted_audiences" where unknownProvider != nil: "unknown_provider"
        case "name", "type", "origins", "redirect_uris", "accepted_audiences", "url", "sign_up_names", "attributes",
            "claims_url", "claims_audience", "claims_allowed", "claims_attributes":
            field
        default: "other"
        }
    }

    var isTaken = false
}
