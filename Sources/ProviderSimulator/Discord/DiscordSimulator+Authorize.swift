import JSON

extension DiscordSimulator: OAuthSimulator {
    var answerIssuer: String? { "https://discord.com" }

    var rules: AuthorizationRules {
        AuthorizationRules(
            title: "Discord", colour: "#5865f2", responseTypes: ["code"], responseModes: [.query],
            scopes: Self.scopes, scopeRule: .including("identify"), hasNonce: false, allowsPlainChallenge: false,
            furtherParameters: ["prompt"], choices: [.emailVerified], sendsErrorsBack: true,
            cancellation: AuthorizationRules.usualCancellation, failure: AuthorizationRules.usualFailure)
    }

    var unknownClient: Refusal {
        .badRequest("invalid_client", "Unknown application", reason: "the client id is not known")
    }

    var foreignRedirect: Refusal {
        .badRequest("invalid_request", "Invalid OAuth2 redirect_uri")
    }

    func apply(_ consent: Consent, of request: AuthorizationRequest, to order: inout MintOrder) {
        if request.scopes.contains("email"), consent[.emailVerified] == false {
            order.change("profile", ["verified": false])
        }
    }
}
