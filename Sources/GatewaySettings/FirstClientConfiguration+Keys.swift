package import Settings

extension ConfigurationKey {
    package static let clientID = ConfigurationKey(
        "CLIENT_ID", .client, .text, example: .set("app"),
        "The `client_id` of the first app, which the first start creates from these settings. Later changes of them have no effect: use `gateway clients change` or the console. Unset: no app is created."
    )
    package static let clientName = ConfigurationKey(
        "CLIENT_NAME", .client, shownAs: "the id", example: .set("Example app"), "The display name of the first app.")
    static let clientType = ConfigurationKey(
        "CLIENT_TYPE", .client, .choice, default: "public",
        "`public`: an app on users' devices, without authentication. `confidential`: a server that authenticates with CLIENT_SECRET to get or revoke tokens."
    )
    static let clientSecret = ConfigurationKey(
        "CLIENT_SECRET", .client, secret: true, example: .set("generate-me"),
        "The secret of a confidential app. For a public app: the secret of its back end, which may introspect tokens. At least 16 characters."
    )
    static let clientOrigins = ConfigurationKey(
        "CLIENT_ORIGINS", .client, .list, shownAs: "none", example: .set("http://localhost:3000"),
        "Web origins that may call the API from a browser.")
    package static let clientRedirectURIs = ConfigurationKey(
        "CLIENT_REDIRECT_URIS", .client, .list, shownAs: "none",
        example: .set(
            "http://localhost:3000/,http://localhost:3000/signed-in,com.example.app:/signed-in,http://127.0.0.1/signed-in"
        ),
        "The allowed redirect URIs after a sign-in on the hosted pages. Compared as exact strings.")
    static let clientAcceptedAudiences = ConfigurationKey(
        "CLIENT_ACCEPTED_AUDIENCES", .client, .list, shownAs: "all",
        example: .form("apple:com.example.app,google:google-client.apps.googleusercontent.com"),
        "`provider:audience` pairs. For each named provider, the first app accepts tokens with these audiences only. Tokens issued to other apps are refused."
    )
    static let clientSecondFactor = ConfigurationKey(
        "CLIENT_SECOND_FACTOR", .client, .choice, default: "optional",
        "`required`: every sign-in to the first app needs two factors. A user without a second factor sets one up during the sign-in."
    )
    static let clientSignUpNames = ConfigurationKey(
        "CLIENT_SIGN_UP_NAMES", .client, .list, default: "email",
        "The identifiers that sign-up accepts: `email`, `phone`, `user_name`.")
    static let clientAttributes = ConfigurationKey(
        "CLIENT_ATTRIBUTES", .client, .list, shownAs: "none", example: .form("company,birthdate:date!"),
        "Attributes of users: `name`, then in any order `:kind` (text, number, flag, date), `:writer` (user, back_end, both) and `:shared`. A final `!` marks one that sign-up requires: [web.md](web.md#attributes)."
    )
    static let clientGuests = ConfigurationKey(
        "CLIENT_GUESTS", .client, .flag, default: "false",
        "Whether users may use the first app as guests: a sign-in without a credential makes an account.")
    static let clientCustomChallenge = ConfigurationKey(
        "CLIENT_CUSTOM_CHALLENGE", .client, .flag, default: "false",
        "Whether the webhook of CUSTOM_CHALLENGE_URL may be the second factor of accounts without one.")
    static let clientProviders = ConfigurationKey(
        "CLIENT_PROVIDERS", .client, .list, shownAs: "all", example: .form("apple,google,password"),
        "Ids of the sign-in methods that the first app offers. The default has those that are configured at its first start."
    )
}
