/// Facebook's errors are objects with the error code as their type.
extension SimulatedAuthorization {
    static let facebook = SimulatedAuthorization(
        provider: "facebook", path: "/facebook/v23.0/dialog/oauth", tokenPath: "/facebook/v23.0/oauth/access_token",
        further: ["response_type": "code", "scope": "public_profile email"], clientID: "100000000000001",
        clientSecret: "facebook-secret", spentCode: "OAuthException")
}
