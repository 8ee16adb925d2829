import FoundationEssentials
import JSON

extension AmazonSimulator: AuthorizingProvider {
    var rules: AuthorizationRules {
        AuthorizationRules(
            title: "Amazon", colour: "#b25a00", responseTypes: ["code"], responseModes: [.query],
            scopes: ["profile", "profile:user_id", "postal_code"], scopeRule: .required, hasNonce: false,
            allowsPlainChallenge: true, furtherParameters: [], choices: [], sendsErrorsBack: true,
            cancellation: AuthorizationRules.usualCancellation, failure: AuthorizationRules.usualFailure)
    }

    func admit(_ client: String, at route: Route) throws(Refusal) {
        guard clients.contains(client) else {
            throw .badRequest("unauthorized_client", "An unknown client_id was passed.")
        }
    }

    var foreignRedirect: Refusal {
        .invalidRequest("The redirect URI you provided has not been whitelisted for your application.")
    }

    func grant(_ request: AuthorizationRequest, by consent: Consent, at now: Date) throws -> [FormField] {
        let person = consent.person
        var order = MintOrder(request, for: person, at: name, now: now)
        let hasProfile = request.scopes.contains("profile")
        if !hasProfile || person.name.isEmpty { order.change("profile", ["name": nil]) }
        if !hasProfile || person.email.isEmpty { order.change("profile", ["email": nil]) }
        if request.scopes.contains("postal_code") { order.change("profile", ["postal_code": "98109"]) }
        let minted = try mint(order, for: person)
        return [
            FormField("code", minted.members["authorization_code"]?.string ?? ""),
            FormField("scope", request.scopes.joined(separator: " ")),
        ]
    }

    func register(client: String) { clients.register(client) }
}
