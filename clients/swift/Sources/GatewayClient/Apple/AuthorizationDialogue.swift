#if canImport(AuthenticationServices) && canImport(CryptoKit) && (os(iOS) || os(macOS) || os(visionOS))
    import AuthenticationServices
    import Foundation

    /// Runs one `ASAuthorizationController` and waits for its answer.
    @MainActor
    final class AuthorizationDialogue: NSObject {
        private nonisolated let anchor: ASPresentationAnchor
        private nonisolated let nonce: Nonce?
        private var controller: ASAuthorizationController?
        private var waiting: CheckedContinuation<Answer, any Error>?

        /// The parts of the system's answer that may leave the delegate's method.
        enum Answer: Sendable {
            case apple(Credential)
            case passkey(JSONValue)
        }

        init(anchor: ASPresentationAnchor, nonce: Nonce? = nil) { (self.anchor, self.nonce) = (anchor, nonce) }

        func answer(to request: ASAuthorizationRequest) async throws -> Answer {
            let controller = ASAuthorizationController(authorizationRequests: [request])
            controller.delegate = self
            controller.presentationContextProvider = self
            self.controller = controller
            return try await withCheckedThrowingContinuation { continuation in
                waiting = continuation
                controller.performRequests()
            }
        }

        private func finish(_ result: Result<Answer, any Error>) {
            waiting?.resume(with: result)
            (waiting, controller) = (nil, nil)
        }

        /// A passkey's answer as WebAuthn JSON.
        private nonisolated func answer(of authorization: ASAuthorization) throws -> Answer {
            switch authorization.credential {
            case let assertion as ASAuthorizationPlatformPublicKeyCredentialAssertion:
                .passkey(
                    PasskeyJSON.assertion(
                        id: assertion.credentialID, clientData: assertion.rawClientDataJSON,
                        authenticatorData: assertion.rawAuthenticatorData ?? Data(),
                        signature: assertion.signature ?? Data(),
                        userHandle: assertion.userID))
            case let registration as ASAuthorizationPlatformPublicKeyCredentialRegistration:
                .passkey(
                    PasskeyJSON.registration(
                        id: registration.credentialID, clientData: registration.rawClientDataJSON,
                        attestation: registration.rawAttestationObject ?? Data()))
            default: .apple(try Credential.apple(authorization, nonce: nonce))
            }
        }
    }

    // The methods are nonisolated: some SDKs do not say that these protocols belong to the main actor.
    extension AuthorizationDialogue: ASAuthorizationControllerDelegate {
        nonisolated func authorizationController(
            controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
        ) {
            let result = Result { try answer(of: authorization) }
            Task { @MainActor in finish(result) }
        }

        nonisolated func authorizationController(
            controller: ASAuthorizationController, didCompleteWithError error: any Error
        ) {
            let failure: any Error =
                (error as? ASAuthorizationError)?.code == .canceled ? GatewayError.cancelled : error
            Task { @MainActor in finish(.failure(failure)) }
        }
    }

    extension AuthorizationDialogue: ASAuthorizationControllerPresentationContextProviding {
        nonisolated func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor {
            anchor
        }
    }
#endif
