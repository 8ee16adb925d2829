extension SimulatedAuthorization {
    static let discord = SimulatedAuthorization(
        provider: "discord", path: "/discord/oauth2/authorize", tokenPath: "/discord/api/oauth2/token",
        further: ["response_type": "code", "scope": "identify email"], clientID: "100000000000000001",
        clientSecret: "discord-secret", answerIssuer: "https://discord.com")
}
