/// Which providers are on, and with what; filled from the settings, checked by ``ProviderRegistry/build(_:upstream:)``.
package struct ProvidersConfiguration: Sendable {
    package var apple: AppleProvider.Configuration?
    package var amazon: AmazonProvider.Configuration?
    package var microsoft: MicrosoftProvider.Configuration?
    package var cognito: CognitoProvider.Configuration?
    package var github: GitHubProvider.Configuration?
    package var openIDConnect: [OpenIDConnectProvider.Configuration] = []

    package init() {}
}
