import FoundationEssentials
import HTTPTypes
import JSON

extension DiscordSimulator: AuthorizingProvider {
    var redirects: RedirectAddresses { desk.redirects }

    var answerIssuer: String? { "https://discord.com" }

    var rules: AuthorizationRules {
        AuthorizationRules(
            title: "Discord", colour: "#5865f2", responseTypes: ["code"], responseModes: [.query],
            scopes: Self.scopes, scopeRule: .including("identify"), hasNonce: false, allowsPlainChallenge: false,
            furtherParameters: ["prompt"], choices: [.emailVerified], sendsErrorsBack: true,
            cancellation: AuthorizationRules.usualCancellation, failure: AuthorizationRules.usualFailure)
    }

    func admit(_ client: String, at route: Route) throws(Refusal) {
        guard desk.clients.contains(client) else {
            throw .badRequest("invalid_client", "Unknown application", reason: "the client id is not known")
        }
    }

    var foreignRedirect: Refusal {
        .badRequest("invalid_request", "Invalid OAuth2 redirect_uri")
    }

    func grant(_ request: AuthorizationRequest, by consent: Consent, at now: Date) throws -> [FormField] {
        var order = MintOrder(request, for: consent.person, at: name, now: now)
        if request.scopes.contains("email"), consent[.emailVerified] == false {
            order.change("profile", ["verified": false])
        }
        let credential = desk.add(order, opening: access(order, for: consent.person))
        return [FormField("code", credential["authorization_code"]?.string ?? "")]
    }

    func register(client: String) { desk.clients.register(client) }
}
