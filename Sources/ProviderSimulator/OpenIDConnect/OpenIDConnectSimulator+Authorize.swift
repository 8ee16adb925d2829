import FoundationEssentials
import HTTPTypes
import JSON

extension OpenIDConnectSimulator: AuthorizingProvider {
    static let scopes = ["openid", "email", "profile"]

    var rules: AuthorizationRules {
        AuthorizationRules(
            title: settings.title, colour: settings.colour, responseTypes: ["code"],
            responseModes: [.query, .formPost], scopes: Self.scopes, scopeRule: .including("openid"), hasNonce: true,
            allowsPlainChallenge: false, furtherParameters: AuthorizationRules.openIDConnectParameters,
            choices: [.emailVerified], sendsErrorsBack: true, cancellation: AuthorizationRules.usualCancellation,
            failure: AuthorizationRules.usualFailure)
    }

    var answerIssuer: String? { settings.namesItselfInAnswers ? settings.issuer : nil }

    func admit(_ client: String, at route: Route) throws(Refusal) {
        guard clients.contains(client) else {
            throw Refusal(.unauthorized, "invalid_client", "The OAuth client was not found.")
        }
    }

    var foreignRedirect: Refusal {
        .badRequest("redirect_uri_mismatch", "The redirect_uri is not registered for this client.")
    }

    func grant(_ request: AuthorizationRequest, by consent: Consent, at now: Date) throws -> [FormField] {
        let person = consent.person
        var order = MintOrder(request, for: person, at: name, now: now)
        order.limitEmail(
            to: "email", verified: ["email_verified": .bool(consent[.emailVerified] ?? true)],
            dropping: ["email", "email_verified"])
        if !request.scopes.contains("profile") || person.name.isEmpty { order.change("claims", ["name": nil]) }
        // Only users of the Workspace have its domain, whatever the usual claims are.
        if !person.email.hasSuffix("@" + Defaults.googleHostedDomain) { order.change("claims", ["hd": nil]) }
        if request.asksSignInTime, settings.tellsSignInTime {
            order.change("claims", ["auth_time": .integer(Int(now.timeIntervalSince1970) - consent.age)])
        }
        let minted = try mint(order, for: person)
        let code = FormField("code", minted.members["authorization_code"]?.string ?? "")
        guard !settings.furtherAnswerFields.isEmpty else { return [code] }
        return [code, FormField("scope", request.scopes.joined(separator: " "))] + settings.furtherAnswerFields
    }

    func register(client: String) { clients.register(client) }
}
