import HTTPTypes
import JSON

extension GitHubSimulator: OAuthSimulator {
    static let scopes = ["read:user", "user:email"]

    var rules: AuthorizationRules {
        AuthorizationRules(
            title: "GitHub", colour: "#24292f", responseTypes: [], responseModes: [.query],
            scopes: Self.scopes + ["user"], scopeRule: .optional, hasNonce: false, allowsPlainChallenge: false,
            furtherParameters: ["prompt"], choices: [.emailVerified, .publicEmail], sendsErrorsBack: true,
            cancellation: AuthorizationRules.usualCancellation, failure: AuthorizationRules.usualFailure)
    }

    var unknownClient: Refusal {
        Refusal(.notFound, "not_found", "Not Found", reason: "the client id is not known")
    }

    var foreignRedirect: Refusal {
        .badRequest("redirect_uri_mismatch", "The redirect_uri is not associated with this application.")
    }

    func apply(_ consent: Consent, of request: AuthorizationRequest, to order: inout MintOrder) {
        let person = consent.person
        let isPublic = consent[.publicEmail] ?? false
        order.emails = Self.emails(of: person, isVerified: consent[.emailVerified] ?? true, isPublic: isPublic)
        if isPublic, !person.email.isEmpty {
            order.change("profile", ["email": .string(person.email)])
        }
    }
}
