import FoundationEssentials

/// A provider that receives browsers by redirect.
///
/// It defines its rules and grants. Reading requests, asking the user and answering are common to all providers.
protocol AuthorizingProvider: SimulatedProvider {
    var rules: AuthorizationRules { get }
    var redirects: RedirectAddresses { get }
    /// The `iss` of its answers (RFC 9207).
    var answerIssuer: String? { get }

    /// Throws the provider's own refusal if the client or its route is unknown.
    func admit(_ client: String, at route: Route) throws(Refusal)

    /// The provider's refusal of an unregistered redirect address.
    var foreignRedirect: Refusal { get }

    /// The checks that the rules cannot express.
    func check(_ request: AuthorizationRequest) throws(Refusal)

    /// The fields for the redirect address after a consent, apart from the state.
    func grant(_ request: AuthorizationRequest, by consent: Consent, at now: Date) throws -> [FormField]

    /// Registers a client from a control request.
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

    /// The form of the consent page.
    func consent(_ request: Received, at route: Route) throws -> Answer {
        let form = try request.form(required: ["request", "decision"], optional: Consent.fields(rules.choices))
        let consent = try Consent(form, choices: rules.choices, at: name)
        let asked = try authorization(form.value("request"), at: route)
        return try decide(asked, consent, at: request.now).answer
    }

    /// Reads the query of an authorization request.
    ///
    /// It throws a `Refusal`, which goes to the redirect address if this provider does so and may.
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
