import Settings

extension ConfigurationKey {
    static let clientID = ConfigurationKey(
        "CLIENT_ID", .client, .text, example: .set("app"),
        "The first app's `client_id`; unset, no app is put into the database at start.")
    static let clientName = ConfigurationKey(
        "CLIENT_NAME", .client, shownAs: "the id", example: .set("Example app"), "The first app's name, for people.")
    static let clientType = ConfigurationKey(
        "CLIENT_TYPE", .client, .choice, default: "public",
        "`public`: on people's devices, never proves itself. `confidential`: a server, proves itself by CLIENT_SECRET wherever it gets or revokes tokens."
    )
    static let clientSecret = ConfigurationKey(
        "CLIENT_SECRET", .client, secret: true, example: .set("generate-me"),
        "A confidential app proves itself by it; of a public one it is the back end's, which may introspect tokens. At least 16 characters."
    )
    static let clientOrigins = ConfigurationKey(
        "CLIENT_ORIGINS", .client, .list, shownAs: "none", example: .set("http://localhost:3000"),
        "Web origins that may call us from a browser.")
    static let clientRedirectURIs = ConfigurationKey(
        "CLIENT_REDIRECT_URIS", .client, .list, shownAs: "none",
        example: .set("http://localhost:3000/signed-in,com.example.app:/signed-in,http://127.0.0.1/signed-in"),
        "Where a browser may be sent back to when somebody has signed in on the hosted pages, compared as they stand.")
    static let clientAcceptedAudiences = ConfigurationKey(
        "CLIENT_ACCEPTED_AUDIENCES", .client, .list, shownAs: "all",
        example: .form("apple:com.example.app,google:google-client.apps.googleusercontent.com"),
        "`provider:audience`: of a provider that is named here the first app takes tokens with these audiences alone, so that a token made for another app does not open it."
    )
    static let clientSecondFactor = ConfigurationKey(
        "CLIENT_SECOND_FACTOR", .client, .choice, default: "optional",
        "`required`: whoever signs in to the first app has two factors, or sets a second one up on the way.")
    static let clientSignUpNames = ConfigurationKey(
        "CLIENT_SIGN_UP_NAMES", .client, .list, default: "email",
        "What people may sign up with: `email`, `phone`, `user_name`.")
    static let clientAttributes = ConfigurationKey(
        "CLIENT_ATTRIBUTES", .client, .list, shownAs: "none", example: .form("company,birthdate:date!"),
        "What else sign-up takes: `name`, `name:kind` with text, number, flag or date, and `!` at the end where it must be given."
    )
    static let clientCustomChallenge = ConfigurationKey(
        "CLIENT_CUSTOM_CHALLENGE", .client, .flag, default: "false",
        "Whether the webhook of CUSTOM_CHALLENGE_URL may be the second factor of whoever has none of their own.")
    static let clientProviders = ConfigurationKey(
        "CLIENT_PROVIDERS", .client, .list, shownAs: "all", example: .form("apple,google,password"),
        "Ids of the providers that the first app may use.")
}
