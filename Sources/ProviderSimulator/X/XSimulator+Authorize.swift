extension XSimulator: OAuthSimulator {
    var rules: AuthorizationRules {
        AuthorizationRules(
            title: "X", colour: "#0f1419", responseTypes: ["code"], responseModes: [.query],
            scopes: Self.scopes + ["offline.access"], scopeRule: .required, hasNonce: false,
            allowsPlainChallenge: true, furtherParameters: [], choices: [], sendsErrorsBack: true,
            cancellation: AuthorizationRules.usualCancellation, failure: AuthorizationRules.usualFailure)
    }

    var unknownClient: Refusal {
        .badRequest("invalid_request", "Value passed for the client id was invalid.")
    }

    var foreignRedirect: Refusal {
        .invalidRequest("Value passed for the redirect uri did not match the uri of the app.")
    }

    func check(_ request: AuthorizationRequest) throws(Refusal) {
        guard request.challenge != .none else { throw .invalidRequest("Missing required parameter [code_challenge].") }
    }
}
