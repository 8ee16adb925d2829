/// A folded part of an app's form, which opens if it contains a mistake.
enum FormPart: String, CaseIterable {
    case id, brand
    case signUp = "sign_up"
    case security, sessions, claims, openid, dialects
    /// The part that is always open.
    case first

    /// - Parameter field: the field of a mistake.
    init(of field: String) {
        self =
            switch field {
            case "id": .id
            case "sign_up_names", "attributes", "guests": .signUp
            case "linking_policy", "second_factor", "bot_check", "custom_challenge", "foreign_nonces",
                "accepted_audiences", "audiences":
                .security
            case _ where ClientFields.lives.contains(field), "refresh_rotation": .sessions
            case _ where field.hasPrefix("brand_"): .brand
            case _ where field.hasPrefix("claims_"): .claims
            case _ where field.hasPrefix("openid_"): .openid
            case "dialects": .dialects
            case _ where DialectFields.ofVendors.contains(where: { field.hasPrefix($0.name) }): .dialects
            default: .first
            }
    }
}
