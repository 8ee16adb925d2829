import JSON

extension LINESimulator: OAuthSimulator {
    var rules: AuthorizationRules {
        AuthorizationRules(
            title: "LINE", colour: "#06863a", responseTypes: ["code"], responseModes: [.query], scopes: Self.scopes,
            scopeRule: .including("openid"), hasNonce: true, allowsPlainChallenge: false,
            furtherParameters: ["prompt", "max_age", "ui_locales", "bot_prompt"], choices: [], sendsErrorsBack: true,
            cancellation: AuthorizationRules.usualCancellation, failure: AuthorizationRules.usualFailure)
    }

    var unknownClient: Refusal {
        .badRequest("invalid_request", "client_id is not found", reason: "the channel is not known")
    }

    var foreignRedirect: Refusal {
        .invalidRequest("redirect_uri does not match the ones registered for the channel.")
    }

    func apply(_ consent: Consent, of request: AuthorizationRequest, to order: inout MintOrder) {
        order.limitEmail(to: "email", verified: [:], dropping: ["email"])
        if !request.scopes.contains("profile") || consent.person.name.isEmpty { order.change("claims", ["name": nil]) }
        if request.asksSignInTime {
            order.change("claims", ["auth_time": .integer(order.seconds - consent.age)])
        }
    }
}
