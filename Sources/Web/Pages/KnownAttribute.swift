/// Common attributes, by their names in OpenID Connect Core §5.1: the messages `attribute.<it>`.
enum KnownAttribute: String, CaseIterable, Sendable {
    case birthdate, company, country, gender, locale, locality, nickname, region, website, zoneinfo
    case familyName = "family_name"
    case givenName = "given_name"
    case jobTitle = "job_title"
    case middleName = "middle_name"
    case postalCode = "postal_code"
    case streetAddress = "street_address"

    /// Providers' other words for ours.
    private static let synonyms: [String: KnownAttribute] = [
        "city": .locality, "state": .region, "surname": .familyName,
    ]

    /// The attribute behind a provider's name, which may be in camel case.
    init?(named name: String) {
        let words = name.replacing(/[A-Z]/) { "_" + $0.output.lowercased() }
        guard let known = Self(rawValue: words) ?? Self.synonyms[words] else { return nil }
        self = known
    }

    /// The browsers' autofill name (HTML §4.10.18.7.1).
    var autocomplete: String {
        switch self {
        case .birthdate: "bday"
        case .company: "organization"
        case .country: "country-name"
        case .familyName: "family-name"
        case .gender: "sex"
        case .givenName: "given-name"
        case .jobTitle: "organization-title"
        case .locale: "language"
        case .locality: "address-level2"
        case .middleName: "additional-name"
        case .nickname: "nickname"
        case .postalCode: "postal-code"
        case .region: "address-level1"
        case .streetAddress: "address-line1"
        case .website: "url"
        case .zoneinfo: "off"
        }
    }
}
