#if canImport(AuthenticationServices) && canImport(CryptoKit) && (os(iOS) || os(macOS) || os(visionOS))
    public import AuthenticationServices
    public import Foundation

    /// The system's dialogues for Sign in with Apple, passkeys and the browser.
    public struct SystemDialogues: PasskeyAuthenticator, AppleAuthorizer, BrowserOpener {
        private let anchor: ASPresentationAnchor
        private let prefersEphemeralBrowser: Bool

        /// Dialogues over a window.
        ///
        /// - Parameter prefersEphemeralBrowser: whether the browser shares no cookies with Safari.
        public init(anchor: ASPresentationAnchor, prefersEphemeralBrowser: Bool = false) {
            (self.anchor, self.prefersEphemeralBrowser) = (anchor, prefersEphemeralBrowser)
        }

        /// The dialogue of Sign in with Apple.
        @MainActor
        public func appleCredential(nonce: Nonce) async throws -> Credential {
            let request = ASAuthorizationAppleIDProvider().createRequest()
            request.requestedScopes = [.fullName, .email]
            request.nonce = nonce.forApple
            let answer = try await AuthorizationDialogue(anchor: anchor, nonce: nonce).answer(to: request)
            guard case .apple(let credential) = answer else { throw GatewayError.cancelled }
            return credential
        }

        /// The dialogue that offers the user's passkeys.
        @MainActor
        public func assertion(for options: JSONValue) async throws -> JSONValue {
            let wanted = try PasskeyOptions(options)
            let provider = ASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: wanted.domain)
            let request = provider.createCredentialAssertionRequest(challenge: wanted.challenge)
            request.allowedCredentials = wanted.allowed.map {
                ASAuthorizationPlatformPublicKeyCredentialDescriptor(credentialID: $0)
            }
            if let preference = wanted.userVerification {
                request.userVerificationPreference = .init(rawValue: preference)
            }
            return try await passkey(request)
        }

        /// The dialogue that creates a passkey.
        @MainActor
        public func registration(for options: JSONValue) async throws -> JSONValue {
            let wanted = try PasskeyOptions(options)
            guard let user = wanted.user else {
                throw GatewayError.unanswerable("The server sent passkey options without a user.")
            }
            let provider = ASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: wanted.domain)
            let request = provider.createCredentialRegistrationRequest(
                challenge: wanted.challenge, name: user.name, userID: user.id)
            if let preference = wanted.userVerification {
                request.userVerificationPreference = .init(rawValue: preference)
            }
            if #available(iOS 17.4, macOS 14.4, visionOS 1.1, *) {
                request.excludedCredentials = wanted.excluded.map {
                    ASAuthorizationPlatformPublicKeyCredentialDescriptor(credentialID: $0)
                }
            }
            return try await passkey(request)
        }

        @MainActor
        private func passkey(_ request: ASAuthorizationRequest) async throws -> JSONValue {
            guard case .passkey(let answer) = try await AuthorizationDialogue(anchor: anchor).answer(to: request) else {
                throw GatewayError.cancelled
            }
            return answer
        }

        /// The system's browser with the sign-in's page; returns the address that it comes back to.
        @MainActor
        public func open(_ signIn: BrowserSignIn) async throws -> URL {
            try await BrowserDialogue(anchor: anchor).open(signIn, isEphemeral: prefersEphemeralBrowser)
        }
    }
#endif
