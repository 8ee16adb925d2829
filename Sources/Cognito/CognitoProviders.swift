/// The names of providers in the API of Cognito user pools (`identity_provider`).
enum CognitoProviders {
    private static let ids = ["SignInWithApple": "apple", "LoginWithAmazon": "amazon"]

    /// The name that asks for the service's own sign-in.
    private static let own = "COGNITO"

    /// The provider's id for a name of the API; other names are ids already, in any case.
    ///
    /// Nil for the service's own sign-in.
    static func id(named name: String) -> String? { name == own ? nil : ids[name] ?? name.lowercased() }
}
