extension SimulatedAuthorization {
    static let x = SimulatedAuthorization(
        provider: "x", path: "/x/i/oauth2/authorize", tokenPath: "/x/2/oauth2/token",
        further: ["response_type": "code", "scope": "users.read tweet.read"], clientID: "ZXhhbXBsZS14LWNsaWVudA",
        clientSecret: "x-client-secret", usesBasic: true, spentCode: "invalid_request")
}
