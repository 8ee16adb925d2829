/// A one-time number that binds a provider's token to this sign-in; it works once, for 10 minutes.
public struct Nonce: Sendable {
    let value: Secret

    /// The nonce as the gateway made it: give it to the provider's SDK, except to Apple's.
    public var raw: String { value.value }
}

extension Credential {
    /// Sign in with Apple.
    ///
    /// - Parameters:
    ///   - idToken: the text of `ASAuthorizationAppleIDCredential.identityToken`.
    ///   - nonce: from ``GatewayClient/nonce()``; the request to Apple carries its SHA-256.
    ///   - authorizationCode: the text of the credential's code. With it the gateway can end Apple's consent when the
    ///     user deletes the account.
    ///   - givenName: from Apple's first answer only.
    ///   - familyName: from Apple's first answer only.
    public static func apple(
        idToken: String, nonce: Nonce? = nil, authorizationCode: String? = nil, givenName: String? = nil,
        familyName: String? = nil
    ) -> Credential {
        let hasName = givenName != nil || familyName != nil
        return Credential(
            "apple",
            CredentialMembers(
                idToken: Secret(idToken), authorizationCode: authorizationCode.map(Secret.init),
                nonce: nonce?.value, name: hasName ? .init(given: givenName, family: familyName) : nil))
    }

    /// Login with Amazon, with the access token of its SDK.
    public static func amazon(accessToken: String) -> Credential { provider("amazon", accessToken: accessToken) }

    /// Login with Amazon, with a code that is bound to this sign-in by PKCE.
    ///
    /// - Parameters:
    ///   - code: the authorization code.
    ///   - codeVerifier: the verifier of the request's challenge.
    ///   - redirectURI: the redirect address of the request.
    ///   - clientID: the security profile's client id of this app, if it is not the gateway's first.
    public static func amazon(
        code: String, codeVerifier: String?, redirectURI: String, clientID: String? = nil
    ) -> Credential {
        provider("amazon", code: code, codeVerifier: codeVerifier, redirectURI: redirectURI, clientID: clientID)
    }

    /// Microsoft Entra, with the ID token of MSAL.
    public static func microsoft(idToken: String, nonce: Nonce? = nil) -> Credential {
        provider("microsoft", idToken: idToken, nonce: nonce)
    }

    /// Microsoft Entra External ID step by step: native authentication through the gateway.
    public static func microsoft(username: String, password: String? = nil) -> Credential {
        provider("microsoft", username: username, password: password)
    }

    /// A provider's ID token.
    public static func provider(_ id: String, idToken: String, nonce: Nonce? = nil) -> Credential {
        Credential(id, CredentialMembers(idToken: Secret(idToken), nonce: nonce?.value))
    }

    /// A provider's access token, such as Facebook's.
    public static func provider(_ id: String, accessToken: String) -> Credential {
        Credential(id, CredentialMembers(accessToken: Secret(accessToken)))
    }

    /// A provider's authorization code.
    public static func provider(
        _ id: String, code: String, codeVerifier: String?, redirectURI: String, clientID: String? = nil,
        nonce: Nonce? = nil
    ) -> Credential {
        Credential(
            id,
            CredentialMembers(
                authorizationCode: Secret(code), codeVerifier: codeVerifier.map(Secret.init), redirectURI: redirectURI,
                clientID: clientID, nonce: nonce?.value))
    }

    /// A provider that signs in step by step, such as `cognito`.
    public static func provider(_ id: String, username: String, password: String? = nil) -> Credential {
        Credential(id, CredentialMembers(username: username, password: password.map(Secret.init)))
    }
}
