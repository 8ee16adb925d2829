#if canImport(AuthenticationServices) && canImport(CryptoKit)
    public import AuthenticationServices
    import Foundation

    extension Credential {
        /// The answer of Sign in with Apple, such as of SwiftUI's `SignInWithAppleButton`.
        ///
        /// - Parameter nonce: the nonce of the request, which carried its ``Nonce/forApple``.
        public static func apple(_ authorization: ASAuthorization, nonce: Nonce? = nil) throws -> Credential {
            guard let credential = authorization.credential as? ASAuthorizationAppleIDCredential,
                let token = credential.identityToken.flatMap({ String(data: $0, encoding: .utf8) })
            else { throw GatewayError.unanswerable("Apple's answer has no ID token.") }
            return .apple(
                idToken: token, nonce: nonce,
                authorizationCode: credential.authorizationCode.flatMap { String(data: $0, encoding: .utf8) },
                givenName: credential.fullName?.givenName, familyName: credential.fullName?.familyName)
        }
    }

    extension Nonce {
        /// The value for `ASAuthorizationAppleIDRequest.nonce`.
        public var forApple: String { hashed(by: CryptoKitHasher()) }
    }

    /// Asks the system for the state of Sign in with Apple.
    public struct AppleConsentCheck: ConsentCheck {
        /// The check of the system.
        public init() {}

        /// Whether the user removed the app under *Sign in with Apple* in the settings.
        public func isWithdrawn(_ identity: SignedInIdentity) async -> Bool {
            guard identity.provider == "apple" else { return false }
            let provider = ASAuthorizationAppleIDProvider()
            return (try? await provider.credentialState(forUserID: identity.subject)) == .revoked
        }
    }

    extension GatewayClient {
        /// Ends the session when the user withdraws the consent at Apple; it runs until its task is cancelled.
        ///
        /// Start it once, such as in a `task` modifier of the first view.
        public func followAppleConsent() async throws {
            try await session()?.checkConsent()
            let name = ASAuthorizationAppleIDProvider.credentialRevokedNotification
            for await _ in NotificationCenter.default.notifications(named: name).map({ _ in () }) {
                try await session()?.checkConsent()
            }
        }
    }
#endif
