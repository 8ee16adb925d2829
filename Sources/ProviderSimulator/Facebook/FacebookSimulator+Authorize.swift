import FoundationEssentials
import HTTPTypes
import JSON

extension FacebookSimulator: AuthorizingProvider {
    var redirects: RedirectAddresses { desk.redirects }

    var rules: AuthorizationRules {
        AuthorizationRules(
            title: "Facebook", colour: "#0866ff", responseTypes: ["code"], responseModes: [.query],
            scopes: Self.scopes, scopeRule: .optional, hasNonce: false, allowsPlainChallenge: false,
            furtherParameters: ["auth_type"], choices: [], sendsErrorsBack: true,
            cancellation: AuthorizationRules.usualCancellation
                + [FormField("error_code", "200"), FormField("error_reason", "user_denied")],
            failure: AuthorizationRules.usualFailure)
    }

    func admit(_ client: String, at route: Route) throws(Refusal) {
        guard desk.clients.contains(client) else {
            throw .badRequest("invalid_client", "Invalid App ID", reason: "the app is not known")
        }
    }

    var foreignRedirect: Refusal {
        .badRequest("invalid_request", "URL Blocked: this redirect failed because it is not in the app's list.")
    }

    func grant(_ request: AuthorizationRequest, by consent: Consent, at now: Date) throws -> [FormField] {
        let order = MintOrder(request, for: consent.person, at: name, now: now)
        let credential = desk.add(order, opening: access(order, for: consent.person))
        return [FormField("code", credential["authorization_code"]?.string ?? "")]
    }

    func register(client: String) { desk.clients.register(client) }
}
