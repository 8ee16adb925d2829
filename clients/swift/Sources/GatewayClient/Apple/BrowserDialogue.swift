#if canImport(AuthenticationServices) && canImport(CryptoKit) && (os(iOS) || os(macOS) || os(visionOS))
    public import AuthenticationServices
    import Foundation

    /// Runs one `ASWebAuthenticationSession` and waits for the returning address.
    @MainActor
    final class BrowserDialogue: NSObject, ASWebAuthenticationPresentationContextProviding {
        private nonisolated let anchor: ASPresentationAnchor
        private var session: ASWebAuthenticationSession?

        init(anchor: ASPresentationAnchor) { self.anchor = anchor }

        nonisolated func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor { anchor }

        func open(_ signIn: BrowserSignIn, isEphemeral: Bool) async throws -> URL {
            defer { session = nil }
            return try await withCheckedThrowingContinuation { continuation in
                // Not of the main actor: the system may call it on any queue.
                let finish: @Sendable (URL?, (any Error)?) -> Void = { url, error in
                    continuation.resume(with: Self.result(url, error))
                }
                let session = Self.session(signIn, finish)
                session.presentationContextProvider = self
                session.prefersEphemeralWebBrowserSession = isEphemeral
                self.session = session
                // Without a start the handler is called too, with an error.
                session.start()
            }
        }

        /// An https address can return since iOS 17.4; it needs `webcredentials` or `applinks` in the associated domains.
        private static func session(
            _ signIn: BrowserSignIn, _ finish: @escaping @Sendable (URL?, (any Error)?) -> Void
        ) -> ASWebAuthenticationSession {
            let address = URLComponents(string: signIn.redirectURI)
            let scheme = address?.scheme
            if #available(iOS 17.4, macOS 14.4, visionOS 1.1, *), scheme == "https", let host = address?.host {
                return ASWebAuthenticationSession(
                    url: signIn.url, callback: .https(host: host, path: address?.path ?? ""), completionHandler: finish)
            }
            return ASWebAuthenticationSession(url: signIn.url, callbackURLScheme: scheme, completionHandler: finish)
        }

        private nonisolated static func result(_ url: URL?, _ error: (any Error)?) -> Result<URL, any Error> {
            if let url { return .success(url) }
            let isCancelled = (error as? ASWebAuthenticationSessionError)?.code == .canceledLogin
            return .failure(isCancelled ? GatewayError.cancelled : error ?? GatewayError.cancelled)
        }
    }

    extension GatewayClient {
        /// Signs in on the gateway's hosted page, in the system's browser.
        ///
        /// - Parameters:
        ///   - redirectURI: one of the app's registered redirect addresses, such as `com.example.app:/signed-in`.
        ///   - page: the page to open.
        ///   - anchor: the window of the app.
        @MainActor
        public func signInInBrowser(
            redirectURI: String, page: HostedPage = .signIn, anchor: ASPresentationAnchor
        ) async throws -> Session {
            let signIn = try browserSignIn(redirectURI: redirectURI, page: page, hasher: CryptoKitHasher())
            return try await signIn.finish(try await SystemDialogues(anchor: anchor).open(signIn))
        }

        /// Signs in with Apple: nonce, dialogue and the gateway's answer.
        @MainActor
        public func signInWithApple(anchor: ASPresentationAnchor) async throws -> SignInResult {
            try await signIn(try await SystemDialogues(anchor: anchor).appleCredential(nonce: try await nonce()))
        }
    }
#endif
