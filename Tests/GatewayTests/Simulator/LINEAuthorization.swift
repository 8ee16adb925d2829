extension SimulatedAuthorization {
    static let line = SimulatedAuthorization(
        provider: "line", path: "/line/oauth2/v2.1/authorize", tokenPath: "/line/oauth2/v2.1/token",
        further: [
            "response_type": "code", "scope": "openid profile email", "nonce": nonce, "max_age": "31536000",
        ], clientID: "1600000001", clientSecret: "line-channel-secret")
}
