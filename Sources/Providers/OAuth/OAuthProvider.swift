package import Cryptography
package import FoundationEssentials
import JSON
import Outbound

/// A provider of plain OAuth 2.0: a browser's code, exchanged for an access token that names the user.
///
/// Without OpenID Connect there is no ID token and no nonce. Only codes are accepted, since another app's access token
/// would work as well.
package struct OAuthProvider: RedirectSignIn, ReportsHealth, ConfigurableProvider {
    package struct Configuration: Sendable {
        package let kind: OAuthProviderKind
        package var clientID: String
        package var clientSecret: Secret
        /// Replaces the provider's own addresses.
        package var endpoint: String?
        /// Whether the provider is an authority for addresses that it marks as verified.
        package var trustsEmail = false

        package init(_ kind: OAuthProviderKind, clientID: String, clientSecret: Secret) {
            (self.kind, self.clientID, self.clientSecret) = (kind, clientID, clientSecret)
        }
    }

    package let health: ProviderHealth
    private let kind: OAuthProviderKind
    private let addresses: OAuthAddresses
    private let client: OAuthClient
    private let trustsEmail: Bool

    package var id: ProviderID { kind.id }
    package var realms: [String] { [addresses.realm] }
    package var displayName: String { kind.name }

    /// - Throws: ``ProviderConfigurationProblem`` naming the setting at fault.
    package init(_ configuration: Configuration, upstream: Upstream) throws(ProviderConfigurationProblem) {
        kind = configuration.kind
        addresses = try kind.addresses(of: configuration)
        client = OAuthClient(
            request: AuthorizationRequest(
                endpoint: addresses.page, clientID: configuration.clientID, scope: kind.scope,
                responseType: kind.responseType),
            reauthentication: kind.reauthentication, issuer: addresses.issuer,
            authentication: kind.authentication(configuration.clientSecret),
            endpoint: TokenEndpoint(url: addresses.tokens, upstream: upstream, exceptions: kind.exceptions))
        trustsEmail = configuration.trustsEmail
        health = upstream.health
    }

    package func authorizationURL(_ start: RedirectStart) -> String {
        client.authorizationURL(start)
    }

    package func acceptsIssuer(_ issuer: String?) -> Bool {
        client.acceptsIssuer(issuer)
    }

    package func redeem(_ answer: RedirectAnswer, at now: Date) async throws(ProviderError) -> ExternalIdentity {
        let upstream = client.upstream
        let deadline = upstream.deadline()
        let bought = try await client.exchange(answer, by: deadline)
        let token = try upstream.bearer(in: bought, maximumLength: kind.longestToken)
        var user = try await user(of: token, by: deadline)
        if let list = kind.emails { user.email = try await email(in: list, of: token, by: deadline) }
        return ExternalIdentity(
            provider: id, realm: addresses.realm, subject: user.subject, audiences: [client.request.clientID],
            email: user.email.flatMap(external), displayName: DisplayName.joined([user.name]),
            replayDigest: CodeReplay.digest(of: answer.code), replayEnd: CodeReplay.end(now))
    }

    private func user(of token: BearerToken, by deadline: Upstream.Deadline) async throws(ProviderError) -> OAuthUser {
        let document = try await client.upstream.object(at: addresses.api + kind.userPath, for: token, by: deadline)
        guard let member = kind.userMember else { return try kind.user(document) }
        // Errors may come with status 200, and then without the member.
        guard let user = document[member]?.object else { throw client.upstream.failure("upstream_malformed") }
        return try kind.user(user)
    }

    /// The address in a list of its own; nil also if we may not see addresses.
    private func email(
        in list: OAuthEmailList, of token: BearerToken, by deadline: Upstream.Deadline
    ) async throws(ProviderError) -> OAuthEmail? {
        let upstream = client.upstream
        let response = try await upstream.send(.get(addresses.api + list.path, headers: token.headers), by: deadline)
        if list.isWithheld(response) { return nil }
        guard let entries = try upstream.document(in: response).array else {
            throw upstream.failure("upstream_malformed")
        }
        return list.email(entries)
    }

    /// An address counts as proved if the provider verified it and the operator trusts the provider.
    private func external(_ email: OAuthEmail) -> ExternalEmail? {
        let isProved = email.isVerified && trustsEmail
        let usual = ExternalEmail(address: email.address, authority: isProved ? .verifiedByAuthority : .unverified)
        guard let usual, addresses.relayDomains.contains(usual.domain) else { return usual }
        return ExternalEmail(address: email.address, authority: .unverified, isRelay: true)
    }
}
