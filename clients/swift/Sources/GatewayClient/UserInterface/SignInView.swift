#if canImport(SwiftUI)
    import Foundation
    public import SwiftUI

    /// A whole sign-in: the beginning, every step, and the recovery codes.
    ///
    /// ```swift
    /// SignInView(client: client, redirectURI: "com.example.app:/signed-in") { session in
    ///     self.session = session
    /// }
    /// ```
    public struct SignInView: View {
        @StateObject private var observed: ObservedSignIn
        private let redirectURI: String?
        private let asking: Session?

        /// A sign-in at a gateway.
        ///
        /// - Parameters:
        ///   - options: the ways to begin.
        ///   - redirectURI: one of the app's registered redirect addresses; nil for an app that never opens the browser.
        ///   - asking: a session that must prove its second factor (``ErrorCode/stepUpRequired``); nil for a new sign-in.
        ///   - texts: translations.
        ///   - finished: called once, with the session.
        public init(
            client: GatewayClient, options: SignInOptions = SignInOptions(), redirectURI: String? = nil,
            stepUp asking: Session? = nil, texts: SignInTexts = SignInTexts(),
            finished: @escaping @MainActor (Session) -> Void
        ) {
            (self.redirectURI, self.asking) = (redirectURI, asking)
            _observed = StateObject(
                wrappedValue: ObservedSignIn(
                    SignInModel(client: client, options: options, texts: texts, finished: finished)))
        }

        /// The current screen.
        public var body: some View {
            ScrollView {
                SignInScreenView(observed: observed)
                    .frame(maxWidth: 420)
                    .padding()
                    .frame(maxWidth: .infinity)
            }
            .background(
                WindowReader { anchor in observed.model.use(.system(anchor: anchor, redirectURI: redirectURI)) }
            )
            .task { if let asking { await observed.model.stepUp(asking) } }
        }
    }

    /// Publishes the state of a ``SignInModel`` to SwiftUI.
    @MainActor
    final class ObservedSignIn: ObservableObject {
        @Published private(set) var state: SignInModel.State
        let model: SignInModel

        init(_ model: SignInModel) {
            self.model = model
            state = model.state
            model.changed = { [weak self] in self?.state = $0 }
        }

        subscript(entry field: String) -> String {
            get { state.entries[field] ?? "" }
            set { model.enter(newValue, in: field) }
        }

        var remembers: Bool {
            get { state.remembersDevice }
            set { model.remember(newValue) }
        }

        func text(_ word: SignInWord) -> String { model.texts.word(word) }

        func perform(_ action: SignInScreen.Action) {
            Task { await model.perform(action) }
        }
    }

    /// The parts of one screen, from top to bottom.
    private struct SignInScreenView: View {
        @ObservedObject var observed: ObservedSignIn

        private var screen: SignInScreen { observed.state.screen }

        var body: some View {
            VStack(alignment: .leading, spacing: 16) {
                heading
                if let authenticator = screen.authenticator {
                    AuthenticatorView(authenticator: authenticator, observed: observed)
                }
                if !screen.recoveryCodes.isEmpty { RecoveryCodesView(codes: screen.recoveryCodes) }
                ForEach(screen.fields) { EntryField(field: $0, observed: observed) }
                if screen.offersToRemember { rememberToggle }
                problem
                if screen.isWaiting { ProgressView() }
                SignInButtons(observed: observed)
            }
            .disabled(observed.state.isWorking)
        }

        @ViewBuilder private var heading: some View {
            Text(observed.text(screen.title)).font(.title2).bold().accessibilityAddTraits(.isHeader)
            if let explanation = screen.explanation { Text(observed.text(explanation)) }
            if let detail = screen.detail { Text(verbatim: detail).bold() }
        }

        private var rememberToggle: some View { Toggle(observed.text(.remember), isOn: $observed.remembers) }

        @ViewBuilder private var problem: some View {
            if let problem = observed.state.problem {
                VStack(alignment: .leading, spacing: 4) {
                    Label {
                        Text(verbatim: problem.text)
                    } icon: {
                        Image(systemName: "exclamationmark.triangle.fill")
                    }
                    if problem.field == nil, let reference = problem.reference {
                        Text(verbatim: reference).font(.footnote.monospaced())
                    }
                }
                .foregroundColor(.red)
                .accessibilityElement(children: .combine)
            }
        }
    }

    /// The main button and the others.
    private struct SignInButtons: View {
        @ObservedObject var observed: ObservedSignIn

        private var screen: SignInScreen { observed.state.screen }

        var body: some View {
            VStack(alignment: .leading, spacing: 12) {
                if let main = screen.main {
                    Button {
                        observed.perform(main.action)
                    } label: {
                        Text(title(main)).frame(maxWidth: .infinity)
                    }
                    .buttonStyle(.borderedProminent)
                    #if !os(watchOS) && !os(tvOS)
                        .keyboardShortcut(.defaultAction)
                    #endif
                }
                ForEach(screen.others) { button in
                    if button.action == .resend, let until = observed.state.resendAt {
                        ResendButton(title: title(button), until: until) { observed.perform(.resend) }
                    } else {
                        Button {
                            observed.perform(button.action)
                        } label: {
                            label(button)
                        }
                        .buttonStyle(.bordered)
                    }
                }
            }
        }

        @ViewBuilder private func label(_ button: SignInScreen.Button) -> some View {
            switch button.action {
            case .apple: Label(title(button), systemImage: "apple.logo")
            case .passkey: Label(title(button), systemImage: "person.badge.key")
            default: Text(verbatim: title(button))
            }
        }

        private func title(_ button: SignInScreen.Button) -> String {
            [observed.text(button.title), button.detail].compactMap { $0 }.joined(separator: " ")
        }
    }

    /// Disabled until another code can be sent.
    private struct ResendButton: View {
        let title: String
        let until: Date
        let send: @MainActor () -> Void

        var body: some View {
            TimelineView(.periodic(from: .now, by: 1)) { timeline in
                let seconds = Int(until.timeIntervalSince(timeline.date).rounded(.up))
                Button(action: send) { Text(verbatim: seconds > 0 ? "\(title) (\(seconds))" : title) }
                    .buttonStyle(.bordered)
                    .disabled(seconds > 0)
            }
        }
    }
#endif
