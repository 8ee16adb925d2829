/// The protocol of the door through which a session gets its tokens.
package enum TokenDialect: Sendable, Hashable, CaseIterable {
    /// The gateway's own: `/v1` and the hosted pages.
    case gateway
}

/// The tokens that a session gets: their algorithms, audiences, lifetimes, claims and rotation.
///
/// ``init(of:at:administers:)`` is the only place that chooses them.
package struct TokenProfile: Sendable, Equatable {
    /// The signature algorithm of a token.
    package enum Algorithm: String, Sendable, CaseIterable {
        case es256 = "ES256"
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
        let algorithm: Algorithm
        /// The audiences besides the app's own API.
        let audiences: Set<Audience>
        /// In seconds.
        let life: Int
    }

    /// The terms of ID tokens; a session without the scope `openid` gets none.
    package struct IDToken: Sendable, Equatable {
        let algorithm: Algorithm
        /// The client's id.
        let audience: String
        /// In seconds.
        let life: Int
        /// The scopes that select claims.
        let scopes: Set<TokenScope>
    }

    /// The terms of refresh tokens.
    package struct RefreshToken: Sendable, Equatable {
        /// The idle timeout of the session, in seconds.
        let idle: Int
        /// The maximum lifetime of the session, in seconds.
        let maximum: Int
        let rotation: Rotation
    }

    let access: AccessToken
    let id: IDToken
    let refresh: RefreshToken

    /// The lifetime of ID tokens in seconds; a retired signing key stays public for longer.
    package static let idTokenLife = 3_600

    /// Chooses the profile of a session.
    ///
    /// The session of an operator always rotates its refresh token.
    ///
    /// - Parameter administers: see ``Client/audiences(administers:)``; true for a new session.
    package init(of client: Client, at dialect: TokenDialect, administers: Bool = true) {
        switch dialect {
        case .gateway:
            access = AccessToken(
                algorithm: .es256, audiences: client.audiences(administers: administers), life: client.accessTokenLife)
            id = IDToken(
                algorithm: .es256, audience: client.id, life: Self.idTokenLife, scopes: Set(TokenScope.allCases))
            let mayRelax = !client.audiences.contains(.administration)
            refresh = RefreshToken(
                idle: client.refreshIdle, maximum: client.refreshMaximum,
                rotation: mayRelax ? client.refreshRotation : .always)
        }
    }
}
