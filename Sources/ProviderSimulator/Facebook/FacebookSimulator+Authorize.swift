extension FacebookSimulator: OAuthSimulator {
    var rules: AuthorizationRules {
        AuthorizationRules(
            title: "Facebook", colour: "#0866ff", responseTypes: ["code"], responseModes: [.query],
            scopes: Self.scopes, scopeRule: .optional, hasNonce: false, allowsPlainChallenge: false,
            furtherParameters: ["auth_type"], choices: [], sendsErrorsBack: true,
            cancellation: AuthorizationRules.usualCancellation
                + [FormField("error_code", "200"), FormField("error_reason", "user_denied")],
            failure: AuthorizationRules.usualFailure)
    }

    var unknownClient: Refusal {
        .badRequest("invalid_client", "Invalid App ID", reason: "the app is not known")
    }

    var foreignRedirect: Refusal {
        .badRequest("invalid_request", "URL Blocked: this redirect failed because it is not in the app's list.")
    }
}
