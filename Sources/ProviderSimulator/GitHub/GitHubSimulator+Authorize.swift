import FoundationEssentials
import HTTPTypes
import JSON

extension GitHubSimulator: AuthorizingProvider {
    static let scopes = ["read:user", "user:email"]

    var rules: AuthorizationRules {
        AuthorizationRules(
            title: "GitHub", colour: "#24292f", responseTypes: [], responseModes: [.query],
            scopes: Self.scopes + ["user"], scopeRule: .optional, hasNonce: false, allowsPlainChallenge: false,
            furtherParameters: ["prompt"], choices: [.emailVerified, .publicEmail], sendsErrorsBack: true,
            cancellation: AuthorizationRules.usualCancellation, failure: AuthorizationRules.usualFailure)
    }

    func admit(_ client: String, at route: Route) throws(Refusal) {
        guard clients.contains(client) else {
            throw Refusal(.notFound, "not_found", "Not Found", reason: "the client id is not known")
        }
    }

    var foreignRedirect: Refusal {
        .badRequest("redirect_uri_mismatch", "The redirect_uri is not associated with this application.")
    }

    func grant(_ request: AuthorizationRequest, by consent: Consent, at now: Date) throws -> [FormField] {
        let person = consent.person
        var order = MintOrder(request, for: person, at: name, now: now)
        let isPublic = consent[.publicEmail] ?? false
        order.emails = Self.emails(of: person, isVerified: consent[.emailVerified] ?? true, isPublic: isPublic)
        if isPublic, !person.email.isEmpty {
            order.change("profile", ["email": .string(person.email)])
        }
        return [FormField("code", add(order).code)]
    }

    func register(client: String) { clients.register(client) }
}
