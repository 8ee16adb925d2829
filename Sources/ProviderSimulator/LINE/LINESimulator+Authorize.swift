import FoundationEssentials
import HTTPTypes
import JSON

extension LINESimulator: AuthorizingProvider {
    var redirects: RedirectAddresses { desk.redirects }

    var rules: AuthorizationRules {
        AuthorizationRules(
            title: "LINE", colour: "#06863a", responseTypes: ["code"], responseModes: [.query], scopes: Self.scopes,
            scopeRule: .including("openid"), hasNonce: true, allowsPlainChallenge: false,
            furtherParameters: ["prompt", "max_age", "ui_locales", "bot_prompt"], choices: [], sendsErrorsBack: true,
            cancellation: AuthorizationRules.usualCancellation, failure: AuthorizationRules.usualFailure)
    }

    func admit(_ client: String, at route: Route) throws(Refusal) {
        guard desk.clients.contains(client) else {
            throw .badRequest("invalid_request", "client_id is not found", reason: "the channel is not known")
        }
    }

    var foreignRedirect: Refusal {
        .invalidRequest("redirect_uri does not match the ones registered for the channel.")
    }

    func grant(_ request: AuthorizationRequest, by consent: Consent, at now: Date) throws -> [FormField] {
        let person = consent.person
        var order = MintOrder(request, for: person, at: name, now: now)
        order.limitEmail(to: "email", verified: [:], dropping: ["email"])
        if !request.scopes.contains("profile") || person.name.isEmpty { order.change("claims", ["name": nil]) }
        if request.asksSignInTime {
            order.change("claims", ["auth_time": .integer(Int(now.timeIntervalSince1970) - consent.age)])
        }
        let credential = add(order, order.claims(claims(order, for: person)))
        return [FormField("code", credential["authorization_code"]?.string ?? "")]
    }

    func register(client: String) { desk.clients.register(client) }
}
