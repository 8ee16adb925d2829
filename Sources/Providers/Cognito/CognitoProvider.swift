package import Cryptography
package import FoundationEssentials
package import JSON

/// Amazon Cognito: ID tokens of one user pool, and step-by-step sign-in with a name.
///
/// Pages: "Verifying JSON web tokens", "Authentication with Amazon Cognito user pools" (docs.aws.amazon.com/cognito).
///
/// - A pool has two issuers, the original and the updated one. Each has its keys at its own address.
/// - The same keys sign access tokens: `token_use` distinguishes them.
/// - The user-pool API puts no nonce into its tokens, so most have none. The replay ledger stops their second use.
/// - `sub` looks like a UUID but is not always one: it is kept as text.
package struct CognitoProvider: TokenSignIn, KeepsDocuments, ReportsHealth {
    package struct Configuration: Sendable {
        package var region: String
        package var userPoolID: String
        package var clientIDs: [String]
        /// Whether the pool is an authority for addresses that it marks as verified.
        package var trustsEmail = false
        /// Replaces `https://cognito-idp.{region}.amazonaws.com`; the issuers stay.
        package var endpoint: String?
        package var requiresNonce = false
        /// Seconds since the sign-in at the pool (`auth_time`, else `iat`): a token refresh does not restart them.
        package var maximumAge = 600
        /// The flow that takes a username and a password to the pool.
        package var authFlow = AuthFlow.srp
        /// The secret of the first client, if it has one; names and passwords use that client.
        package var clientSecret: Secret?
        /// Seconds that the pool waits for the answer to a challenge: the client's `AuthSessionValidity`.
        package var sessionLife = 180

        package init(region: String, userPoolID: String, clientIDs: [String]) {
            self.region = region
            self.userPoolID = userPoolID
            self.clientIDs = clientIDs
        }
    }

    /// The sign-in flows with a name, each of which the settings of the pool's client must allow.
    package enum AuthFlow: String, Sendable, CaseIterable {
        /// Only tokens are accepted, no names and passwords.
        case off
        /// The password is proved and never sent.
        case srp
        /// The password is sent over TLS, for pools that migrate users at their first sign-in.
        case password
        /// The pool offers a choice of first factors.
        case userAuth = "user_auth"
        /// The operator's own challenges, without a password or after one.
        case custom
        case customSRP = "custom_srp"
    }

    package let id = ProviderID.cognito
    package var realms: [String] { [configuration.userPoolID] }
    package let displayName = "Amazon Cognito"
    package let health: ProviderHealth
    let configuration: Configuration
    let upstream: Upstream
    /// The API for names and passwords.
    let api: CognitoAPI
    /// One verifier for each spelling of the issuer: a key of one must not serve the other.
    private let verifiers: [IDTokenVerifier]

    /// - Throws: ``ProviderConfigurationProblem`` naming the setting at fault.
    package init(_ configuration: Configuration, upstream: Upstream) throws(ProviderConfigurationProblem) {
        let (region, pool) = (configuration.region, configuration.userPoolID)
        guard Self.isName(region, separator: "-") else {
            throw ProviderConfigurationProblem(setting: "COGNITO_REGION", reason: "not a region such as us-east-1")
        }
        guard pool.hasPrefix(region + "_"), Self.isName(String(pool.dropFirst(region.count + 1)), separator: nil) else {
            throw ProviderConfigurationProblem(
                setting: "COGNITO_USER_POOL_ID", reason: "not a pool of that region, such as us-east-1_Ab12Cd34")
        }
        var verifiers: [IDTokenVerifier] = []
        for host in [
            "https://cognito-idp.\(region).amazonaws.com", "https://issuer-cognito-idp.\(region).amazonaws.com",
        ] {
            let base = try Endpoint.base(configuration.endpoint, default: host, setting: "COGNITO_ENDPOINT")
            var rules = IDTokenVerifier.Rules(
                issuers: ["\(host)/\(pool)"], audiences: configuration.clientIDs, setting: "COGNITO_CLIENT_IDS")
            rules.maximumAge = configuration.maximumAge
            rules.nonce = NonceRule(encoding: .exact, isRequired: configuration.requiresNonce)
            let keys = KeySetCache(
                source: .pinned("\(base)/\(pool)/.well-known/jwks.json"), algorithms: [.RS256], upstream: upstream)
            verifiers.append(try IDTokenVerifier(rules, keys: keys))
        }
        let base = try Endpoint.base(
            configuration.endpoint, default: "https://cognito-idp.\(region).amazonaws.com", setting: "COGNITO_ENDPOINT")
        api = CognitoAPI(url: base + "/", upstream: upstream)
        (self.verifiers, self.upstream) = (verifiers, upstream)
        self.configuration = configuration
        health = upstream.health
    }

    /// Fetches the original issuer's keys; the updated issuer's keys follow with its first token.
    package func preload() async {
        await verifiers[0].keys.refreshIfDue()
    }

    package func refreshDue() async {
        await preload()
    }

    package func verify(_ credential: JSONObject, at now: Date) async throws(ProviderError) -> ExternalIdentity {
        let posted = try CredentialReader(credential, of: "id_token", "nonce")
        let jwt = try IDTokenVerifier.parse(posted, member: "id_token")
        let nonce = try posted.nonce()
        return try identity(from: try await verifier(of: jwt).verify(jwt, nonce: nonce, at: now), at: now)
    }

    /// The identity of a token from the pool: it must be for our client, and has no nonce.
    func identity(of jwt: JWT, boughtBy client: String, at now: Date) async throws(ProviderError) -> ExternalIdentity {
        let token = try await verifier(of: jwt).verifyWithoutNonce(jwt, at: now)
        guard token.audiences.allSatisfy({ $0.hasSameBytes(as: client) }) else {
            throw .refused(.audienceMismatch)
        }
        return try identity(from: token, at: now)
    }

    private func verifier(of jwt: JWT) throws(ProviderError) -> IDTokenVerifier {
        guard let verifier = verifiers.first(where: { $0.isIssuer(of: jwt.claims) }) else {
            throw .refused(.issuerNotAllowed)
        }
        guard jwt.claims["token_use"]?.string == "id" else { throw .refused(.wrongTokenType) }
        return verifier
    }

    private func identity(from token: VerifiedClaims, at now: Date) throws(ProviderError) -> ExternalIdentity {
        if let signedIn = token.authenticatedAt, now.timeIntervalSince(signedIn) > Double(configuration.maximumAge) {
            throw .refused(.tooOld)
        }
        return ExternalIdentity(
            provider: id, realm: configuration.userPoolID, subject: token.subject, audiences: token.audiences,
            email: email(in: token.claims), displayName: name(in: token.claims), authenticatedAt: token.authenticatedAt,
            issuedAt: token.issuedAt,
            nonce: token.nonce,
            replayDigest: token.signedDigest, replayEnd: token.replayEnd)
    }

    private func email(in claims: JSONObject) -> ExternalEmail? {
        guard let address = claims["email"]?.string else { return nil }
        let isVerified = configuration.trustsEmail && claims["email_verified"] == .bool(true)
        return ExternalEmail(address: address, authority: isVerified ? .verifiedByAuthority : .unverified)
    }

    private func name(in claims: JSONObject) -> String? {
        DisplayName.joined([claims["name"]?.string])
            ?? DisplayName.joined([claims["given_name"]?.string, claims["family_name"]?.string])
    }

    /// Accepts ASCII letters and digits, and `separator` if allowed: the text becomes part of addresses.
    private static func isName(_ text: String, separator: Character?) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == separator }
    }
}
