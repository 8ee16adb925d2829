import FoundationEssentials
import HTTPTypes
import JSON

extension XSimulator: AuthorizingProvider {
    var redirects: RedirectAddresses { desk.redirects }

    var rules: AuthorizationRules {
        AuthorizationRules(
            title: "X", colour: "#0f1419", responseTypes: ["code"], responseModes: [.query],
            scopes: Self.scopes + ["offline.access"], scopeRule: .required, hasNonce: false,
            allowsPlainChallenge: true, furtherParameters: [], choices: [], sendsErrorsBack: true,
            cancellation: AuthorizationRules.usualCancellation, failure: AuthorizationRules.usualFailure)
    }

    func admit(_ client: String, at route: Route) throws(Refusal) {
        guard desk.clients.contains(client) else {
            throw .badRequest("invalid_request", "Value passed for the client id was invalid.")
        }
    }

    var foreignRedirect: Refusal {
        .invalidRequest("Value passed for the redirect uri did not match the uri of the app.")
    }

    func check(_ request: AuthorizationRequest) throws(Refusal) {
        guard request.challenge != .none else { throw .invalidRequest("Missing required parameter [code_challenge].") }
    }

    func grant(_ request: AuthorizationRequest, by consent: Consent, at now: Date) throws -> [FormField] {
        let order = MintOrder(request, for: consent.person, at: name, now: now)
        let credential = desk.add(order, opening: access(order, for: consent.person))
        return [FormField("code", credential["authorization_code"]?.string ?? "")]
    }

    func register(client: String) { desk.clients.register(client) }
}
