/// What is minted when nothing else is asked for; the same values stand in `.env.example`.
enum Defaults {
    static let appleIssuer = "https://appleid.apple.com"
    static let appleTeam = "TEAM123456"
    /// The team that apps move to.
    static let appleNextTeam = "TEAM654321"
    static let appleKeyID = "DEVKEY1234"
    static let appleNativeClient = "com.example.app"
    static let appleWebClient = "com.example.web"

    static let amazonIssuer = "https://www.amazon.com"
    static let amazonClient = "amzn1.application-oa2-client.example"
    static let amazonApp = "amzn1.application.example"
    static let amazonSecret = "amazon-secret"

    static let microsoftClient = "11111111-2222-3333-4444-555555555555"
    static let microsoftSecret = "microsoft-secret"
    static let microsoftTenant = "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee"
    static let microsoftExternalTenant = "bbbbbbbb-cccc-dddd-eeee-ffffffffffff"
    /// The tenant that stands for personal accounts at Microsoft, everywhere the same.
    static let microsoftConsumerTenant = "9188040d-6c67-4c5b-b112-36a304b66dad"

    static let cognitoPool = "us-east-1_Example01"
    static let cognitoClient = "cognitoclient0000000000001"

    static let googleIssuer = "https://accounts.google.com"
    static let googleClient = "google-client.apps.googleusercontent.com"
    static let googleSecret = "google-secret"
    /// The Workspace domain of minted Google users: without it their address would not count as Google's to vouch for.
    static let googleHostedDomain = "example.com"

    static let acmeIssuer = "https://id.acme.example"
    static let acmeClient = "acme-client"
    static let acmeSecret = "acme-secret"

    static let githubClient = "Iv1.examplegithub01"
    static let githubSecret = "github-secret"

    /// Where minted authorization codes return to unless the order names another place.
    static let redirectURI = "https://login.example.com/callback"

    static func client(of provider: ProviderName) -> String {
        switch provider {
        case .apple: appleNativeClient
        case .amazon: amazonClient
        case .microsoft: microsoftClient
        case .cognito: cognitoClient
        case .google: googleClient
        case .acme: acmeClient
        case .github: githubClient
        }
    }

    /// The client that browsers are sent with: at Apple a services id, elsewhere the usual one.
    static func webClient(of provider: ProviderName) -> String {
        provider == .apple ? appleWebClient : client(of: provider)
    }
}
