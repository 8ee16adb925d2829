// The code of `docs/start` that needs Apple's frameworks or a provider's SDK. Linux only parses it.
#if canImport(SwiftUI) && os(iOS)
    import AuthenticationServices
    import GatewayClient
    import SwiftUI

    @MainActor
    private struct ProviderPages: View {
        let client: GatewayClient
        let window: ASPresentationAnchor
        @State private var session: Session?

        @ViewBuilder var google: some View {
            let options = SignInOptions(providers: [.init(id: "google", name: "Google")])

            SignInView(client: client, options: options, redirectURI: "com.your-company.app:/signed-in") {
                session = $0
            }
        }

        @ViewBuilder var amazon: some View {
            let options = SignInOptions(providers: [.init(id: "amazon", name: "Amazon")])

            SignInView(client: client, options: options, redirectURI: "com.your-company.app:/signed-in") {
                session = $0
            }
        }

        @ViewBuilder var microsoft: some View {
            let options = SignInOptions(providers: [.init(id: "microsoft", name: "Microsoft")])

            SignInView(client: client, options: options, redirectURI: "com.your-company.app:/signed-in") {
                session = $0
            }
        }

        var body: some View { google }

        func signInWithGoogle() async throws -> Session {
            let session = try await client.signInInBrowser(
                redirectURI: "com.your-company.app:/signed-in", page: .provider("google"), anchor: window)
            return session
        }

        func signInWithAmazon() async throws -> Session {
            let session = try await client.signInInBrowser(
                redirectURI: "com.your-company.app:/signed-in", page: .provider("amazon"), anchor: window)
            return session
        }

        func signInWithPasskey() async throws {
            switch try await client.signIn(with: SystemDialogues(anchor: window)) {
            case .signedIn(let session): show(session)
            case .next(let step): show(step)
            }
        }

        private func show(_ session: Session) { self.session = session }

        private func show(_ step: Step) {}
    }

    @MainActor
    func addPasskey(to session: Session, window: ASPresentationAnchor) async throws -> [String] {
        let enrolment = try await session.addFactor(.passkey)
        guard case .passkey(let options) = enrolment.question else { return [] }
        let answer = try await SystemDialogues(anchor: window).registration(for: options)
        let added = try await enrolment.confirm(passkey: answer, name: "iPhone")
        return added.recoveryCodes ?? []
    }
#endif

// An app of its own, with the client of all pages: define the condition to compile it.
#if PAGES_OF_AN_APP
    import GatewayClient
    import SwiftUI

    // swift-format-ignore: NeverForceUnwrap
    let client = GatewayClient(url: URL(string: "https://login.your-company.com")!, clientID: "app")

    @main
    struct YourApp: App {
        @State private var session: Session?

        var body: some Scene {
            WindowGroup {
                ZStack {
                    if let session {
                        AccountView(session: session)
                    } else {
                        SignInView(
                            client: client, options: SignInOptions(offersPasskeys: false),
                            redirectURI: "com.your-company.app:/signed-in"
                        ) { session = $0 }
                    }
                }
                .task {
                    session = try? await client.session()
                    for await state in client.states {
                        if case .signedIn = state { continue }
                        session = nil
                    }
                }
            }
        }
    }

    struct AccountView: View {
        let session: Session

        var body: some View {
            Button("Delete account", role: .destructive) {
                Task { try await session.deleteAccount() }
            }
            .task { try? await client.followAppleConsent() }
        }
    }

    import GoogleSignIn

    func signInWithGoogle(from controller: UIViewController) async throws -> SignInResult {
        let nonce = try await client.nonce()
        let answer = try await GIDSignIn.sharedInstance.signIn(
            withPresenting: controller, hint: nil, additionalScopes: nil, nonce: nonce.raw)
        guard let token = answer.user.idToken?.tokenString else {
            throw GatewayError.unanswerable("Google sent no token.")
        }
        return try await client.signIn(.provider("google", idToken: token, nonce: nonce))
    }

    import LoginWithAmazon

    func signInWithAmazon() async throws -> SignInResult {
        let request = AMZNAuthorizeRequest()
        request.scopes = [AMZNProfileScope.profile()]
        let token: String? = try await withCheckedThrowingContinuation { continuation in
            AMZNAuthorizationManager.shared().authorize(request) { result, _, error in
                if let error {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume(returning: result?.token)
                }
            }
        }
        guard let token else { throw GatewayError.cancelled }
        return try await client.signIn(.amazon(accessToken: token))
    }

    func signIn(_ answer: MSALResult) async throws -> SignInResult {
        guard let token = answer.idToken else { throw GatewayError.unanswerable("Microsoft sent no token.") }
        return try await client.signIn(.microsoft(idToken: token))
    }
#endif
