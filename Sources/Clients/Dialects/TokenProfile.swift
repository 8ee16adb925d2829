package import Vocabulary

/// The protocol of the door through which a session gets its tokens.
package enum TokenDialect: String, Sendable, Hashable, CaseIterable {
    /// The gateway's own: `/v1` and the hosted pages.
    case gateway
    /// The API of Amazon Cognito user pools.
    case cognito
    /// Microsoft's native authentication API.
    case nativeAuth = "native_auth"

    /// The dialects that an app enables.
    package static let ofVendors = allCases.filter { $0 != .gateway }

    /// The name in the database: null for the gateway's own.
    package var stored: String? { self == .gateway ? nil : rawValue }

    /// - Parameter stored: null for the gateway's own.
    package init(stored: String?) { self = stored.flatMap(TokenDialect.init(rawValue:)) ?? .gateway }
}

/// The tokens that a session gets: their algorithms, audiences, lifetimes, claims and rotation.
///
/// ``init(of:at:administers:)`` is the only place that chooses them. The forms of the claims follow from the dialect.
package struct TokenProfile: Sendable, Equatable {
    /// The signature algorithm of a token.
    package enum Algorithm: String, Sendable, CaseIterable {
        case es256 = "ES256"
        case rs256 = "RS256"
    }

    /// The claims of the tokens.
    package enum Form: Sendable, Equatable {
        case gateway
        case cognito(CognitoApp)
        case nativeAuth(NativeAuthApp)
    }

    /// The rule for the refresh token of a refresh.
    package enum Rotation: String, Sendable, CaseIterable {
        /// Each refresh replaces the token.
        case always
        /// A refresh keeps the token, for an app that cannot store a new one.
        case relaxed
    }

    /// The terms of access tokens.
    package struct AccessToken: Sendable, Equatable {
        package let algorithm: Algorithm
        /// The audiences besides the app's own API.
        package let audiences: Set<Audience>
        /// In seconds.
        package private(set) var life: Int
        /// The client's id for others.
        package let clientID: String
        package var form = Form.gateway
        /// The resource that it is for, instead of the app's own API.
        package var target: ResourceTarget?

        /// The same with at most so many seconds; nil for no limit.
        package func ending(within seconds: Int?) -> AccessToken {
            var terms = self
            terms.life = min(life, seconds ?? life)
            return terms
        }
    }

    /// The terms of ID tokens; a session without the scope `openid` gets none.
    package struct IDToken: Sendable, Equatable {
        package let algorithm: Algorithm
        /// The client's id.
        package let audience: String
        /// In seconds.
        package private(set) var life: Int
        /// The known scopes.
        package let scopes: Set<TokenScope>
        /// Whether scopes add claims about the account.
        package var statesClaims = true
        package var form = Form.gateway
        /// The app's attributes.
        package var attributes: [ClientAttribute] = []

        /// The same with at most so many seconds; nil for no limit.
        package func ending(within seconds: Int?) -> IDToken {
            var terms = self
            terms.life = min(life, seconds ?? life)
            return terms
        }

        /// Whether a session with these scopes gets an ID token; Cognito's SDKs fail without one.
        package func isIssued(for scopes: Set<TokenScope>) -> Bool { form != .gateway || scopes.contains(.openid) }

        /// The scopes whose claims the token states.
        package func stated(_ scopes: Set<TokenScope>) -> Set<TokenScope> { statesClaims ? scopes : [] }

        /// Whether the token states data of the account.
        package func needsProfile(for scopes: Set<TokenScope>, and names: Set<String>) -> Bool {
            form != .gateway || !names.isEmpty || !stated(scopes).subtracting([.openid, .offlineAccess]).isEmpty
        }
    }

    /// The terms of refresh tokens.
    package struct RefreshToken: Sendable, Equatable {
        /// The idle timeout of the session, in seconds.
        package let idle: Int
        /// The maximum lifetime of the session, in seconds.
        package let maximum: Int
        let rotation: Rotation
    }

    package private(set) var access: AccessToken
    package let id: IDToken
    package private(set) var refresh: RefreshToken

    /// The same for a session with these lifetimes in seconds.
    package func lasting(_ idle: Int, _ maximum: Int) -> TokenProfile {
        var profile = self
        profile.refresh = RefreshToken(idle: idle, maximum: maximum, rotation: .always)
        return profile
    }

    /// The same with access tokens for a resource; nil for the app's own API.
    package func reaching(_ target: ResourceTarget?) -> TokenProfile {
        guard let target else { return self }
        var profile = self
        profile.access = AccessToken(
            algorithm: target.resource.algorithm, audiences: [], life: target.resource.tokenLife ?? access.life,
            clientID: access.clientID, form: access.form, target: target)
        return profile
    }

    /// The lifetime of ID tokens in seconds; a retired signing key stays public for longer.
    package static let idTokenLife = 3_600
    private static let ownScopes = Set(TokenScope.own)

    /// Chooses the profile of a session.
    ///
    /// The session of an operator always rotates its refresh token.
    ///
    /// - Parameter administers: see ``Client/audiences(administers:)``; true for a new session.
    /// - Throws: `clientUnknown` for a client that does not speak the dialect.
    package init(
        of client: Client, at dialect: TokenDialect, administers: Bool = true
    ) throws(Rejection) {
        let mayRelax = !client.audiences.contains(.administration)
        refresh = RefreshToken(
            idle: client.refreshIdle, maximum: client.refreshMaximum,
            rotation: mayRelax ? client.refreshRotation : .always)
        switch dialect {
        case .gateway:
            let audiences = client.usesOwnAPI ? client.audiences(administers: administers) : []
            access = AccessToken(
                algorithm: .es256, audiences: audiences, life: client.accessTokenLife, clientID: client.publicID)
            id = IDToken(
                algorithm: client.openID.idTokenAlgorithm, audience: client.publicID, life: Self.idTokenLife,
                scopes: Self.ownScopes, statesClaims: client.openID.idTokensHaveClaims, attributes: client.attributes)
        case .cognito:
            guard let app = client.dialects.cognito else { throw .clientUnknown() }
            access = AccessToken(
                algorithm: .rs256, audiences: [], life: client.accessTokenLife, clientID: app.clientID,
                form: .cognito(app))
            id = IDToken(
                algorithm: .rs256, audience: app.clientID, life: Self.idTokenLife,
                scopes: Set(TokenScope.allCases), form: .cognito(app), attributes: client.knownAttributes)
        case .nativeAuth:
            guard let app = client.dialects.nativeAuth else { throw .clientUnknown() }
            access = AccessToken(
                algorithm: .rs256, audiences: [], life: client.accessTokenLife, clientID: app.applicationID,
                form: .nativeAuth(app))
            id = IDToken(
                algorithm: .rs256, audience: app.applicationID, life: Self.idTokenLife,
                scopes: Self.ownScopes, form: .nativeAuth(app), attributes: client.attributes)
        }
    }
}
