#if canImport(SwiftUI)
    import GatewayClient
    import SampleLogic
    import SwiftUI

    @main
    struct SampleApp: App {
        private let configuration: Configuration
        private let client: GatewayClient
        private let model: SampleModel

        init() {
            guard let configuration = Configuration(Bundle.main.infoDictionary ?? [:]) else {
                fatalError("Set GATEWAY_URL and CLIENT_ID in Configuration/Sample.xcconfig.")
            }
            self.configuration = configuration
            client = GatewayClient(url: configuration.url, clientID: configuration.clientID)
            model = SampleModel(client: client)
        }

        var body: some Scene {
            WindowGroup {
                RootView(client: client, model: model, redirectURI: configuration.redirectURI)
                    .task { try? await client.followAppleConsent() }
            }
        }
    }

    /// The screen that the model decides.
    struct RootView: View {
        let client: GatewayClient
        let model: SampleModel
        let redirectURI: String
        @State private var state = SampleModel.State()

        var body: some View {
            VStack {
                if let message = state.message { Text(message).padding() }
                switch state.screen {
                case .starting: ProgressView()
                case .signIn: signIn()
                case .account: AccountView(model: model, state: state)
                case .signInAgain:
                    signIn(SignInOptions(offersSignUp: false))
                    Button("Cancel") { model.cancel() }
                case .stepUp:
                    signIn(stepUp: model.session)
                    Button("Cancel") { model.cancel() }
                }
            }
            .task {
                model.changed = { state = $0 }
                await model.start()
            }
        }

        /// Apple, password, passkey, and every further step.
        private func signIn(_ options: SignInOptions = SignInOptions(), stepUp: Session? = nil) -> some View {
            SignInView(client: client, options: options, redirectURI: redirectURI, stepUp: stepUp) { session in
                Task { await model.signedIn(session) }
            }
        }
    }
#endif
