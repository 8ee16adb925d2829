import FoundationEssentials
import JSON

extension MicrosoftSimulator: AuthorizingProvider {
    static let scopes = ["openid", "profile", "email"]

    var rules: AuthorizationRules {
        AuthorizationRules(
            title: "Microsoft", colour: "#0067b8", responseTypes: ["code"], responseModes: [.query, .formPost],
            scopes: Self.scopes, scopeRule: .including("openid"), hasNonce: true, allowsPlainChallenge: true,
            furtherParameters: AuthorizationRules.openIDConnectParameters, choices: [.domainOwnerVerified],
            sendsErrorsBack: true, cancellation: AuthorizationRules.usualCancellation,
            failure: AuthorizationRules.usualFailure)
    }

    func admit(_ client: String, at route: Route) throws(Refusal) {
        _ = try home(of: route.variable)
        guard clients.contains(client) else {
            throw .badRequest(
                "unauthorized_client", "AADSTS700016: Application with identifier '\(client)' was not found.",
                reason: "the client id is not known")
        }
    }

    var foreignRedirect: Refusal {
        .invalidRequest("AADSTS50011: The redirect URI does not match those of the application.")
    }

    func grant(_ request: AuthorizationRequest, by consent: Consent, at now: Date) throws -> [FormField] {
        let person = consent.person
        var order = MintOrder(request, for: person, at: name, now: now)
        order.tenant = try home(of: request.variable).id
        var verified: JSONObject = [:]
        if let isVerified = consent[.domainOwnerVerified] { verified["xms_edov"] = .bool(isVerified) }
        order.limitEmail(to: "email", verified: verified, dropping: ["email"])
        if !request.scopes.contains("profile") {
            order.change("claims", ["name": nil, "preferred_username": nil, "oid": nil])
        }
        let minted = try mint(order, for: person)
        return [
            FormField("code", minted.members["authorization_code"]?.string ?? ""),
            FormField("session_state", GUID.random()),
        ]
    }

    func register(client: String) { clients.register(client) }
}
