import FoundationEssentials

/// A provider that browsers are sent to.
///
/// It says what it takes and what it grants; reading requests, asking the person and answering is the same for all.
protocol AuthorizingProvider: SimulatedProvider {
    var rules: AuthorizationRules { get }
    var redirects: RedirectAddresses { get }
    /// The `iss` that answers bear (RFC 9207).
    var answerIssuer: String? { get }

    /// Throws the provider's own refusal where the client or the place it asks at is unknown.
    func admit(_ client: String, at route: Route) throws(Refusal)

    /// The provider's word for a redirect address that is not registered.
    var foreignRedirect: Refusal { get }

    /// What the rules can't say.
    func check(_ request: AuthorizationRequest) throws(Refusal)

    /// What goes to the redirect address of somebody who allowed it, beside the state.
    func grant(_ request: AuthorizationRequest, by consent: Consent, at now: Date) throws -> [FormField]

    /// Takes a client that a control request named.
    func register(client: String)
}

extension AuthorizingProvider {
    var answerIssuer: String? { nil }

    func check(_ request: AuthorizationRequest) throws(Refusal) {}

    /// `GET` of the authorization endpoint: the consent page.
    func consentPage(_ request: Received, at route: Route) throws -> Answer {
        try request.expectNoBody()
        let asked = try authorization(request.queryText, at: route)
        let action = request.path + "/consent"
        return ConsentPage(rules: rules, request: asked, action: action, demo: .demo(of: name)).answer
    }

    /// What the consent page posts.
    func consent(_ request: Received, at route: Route) throws -> Answer {
        let form = try request.form(required: ["request", "decision"], optional: Consent.fields(rules.choices))
        let consent = try Consent(form, choices: rules.choices, at: name)
        let asked = try authorization(form.value("request"), at: route)
        return try decide(asked, consent, at: request.now).answer
    }

    /// Reads the query of an authorization request.
    ///
    /// Throws a `Refusal`, which goes to the redirect address where this provider does so and may.
    func authorization(_ query: String, at route: Route) throws(Refusal) -> AuthorizationRequest {
        let reader = try AuthorizationReader(query, rules: rules)
        try admit(reader.clientID, at: route)
        guard redirects.accepts(reader.redirectURI, for: reader.clientID) else { throw foreignRedirect }
        let address = reader.returnAddress(issuer: answerIssuer)
        do {
            let request = try reader.request(returning: address, variable: route.variable)
            try check(request)
            return request
        } catch {
            guard rules.sendsErrorsBack else { throw error }
            throw error.sent(to: address)
        }
    }

    func decide(_ request: AuthorizationRequest, _ consent: Consent, at now: Date) throws -> RedirectAnswer {
        let fields =
            switch consent.decision {
            case .allow: try grant(request, by: consent, at: now)
            case .cancel: rules.cancellation
            case .fail: rules.failure
            }
        return request.returning.bearing(fields)
    }
}
